/**
 * Who may do what over the API: callers known by bearer token or client certificate, the role that
 * each call needs, TLS. See DESIGN.md of the package above.
 */
@NullMarked
package dev.berth.streams.query.security;

import org.jspecify.annotations.NullMarked;
