/** What a run found, as data, and its forms: JSON, Markdown, SVG. */
@NullMarked
package dev.berth.bench.report;

import org.jspecify.annotations.NullMarked;
