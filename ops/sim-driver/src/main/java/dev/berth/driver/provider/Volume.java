package dev.berth.driver.provider;

/** A volume of the provider. */
public record Volume(String id, Access access) {}
