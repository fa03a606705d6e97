package dev.berth.producers.files;

/**
 * Something that stands in a file.
 *
 * @param file name of the file, as the user gave it
 * @param line line where it begins, from 1
 * @param value what stands there
 */
public record Located<T>(String file, int line, T value) {}
