package dev.berth.driver.provider;

/** To how many nodes a volume can be attached at a time. */
public enum Access {
  SINGLE_NODE,
  MULTI_NODE
}
