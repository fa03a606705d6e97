/**
 * What each kind of process has to be allowed on the brokers, drawn up from the topic catalogue.
 */
@NullMarked
package dev.berth.ops.acl;

import org.jspecify.annotations.NullMarked;
