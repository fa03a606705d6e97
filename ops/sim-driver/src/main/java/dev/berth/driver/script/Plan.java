package dev.berth.driver.script;

import java.time.Duration;

/**
 * What one call gets.
 *
 * @param behaviour what happens
 * @param delay how long after the start of the call it happens
 * @param finishAfterCancel whether the work goes on when the caller is gone
 */
public record Plan(Behaviour behaviour, Duration delay, boolean finishAfterCancel) {}
