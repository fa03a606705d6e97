/** What records say in their headers beside their values. */
@NullMarked
package dev.berth.schemas.headers;

import org.jspecify.annotations.NullMarked;
