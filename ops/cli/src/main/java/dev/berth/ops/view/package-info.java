/** What operators are shown of the API's answers: tables, one screen of a volume, JSON. */
@NullMarked
package dev.berth.ops.view;

import org.jspecify.annotations.NullMarked;
