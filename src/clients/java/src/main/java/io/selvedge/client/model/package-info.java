/**
 * The shapes that the service answers with and takes. Properties that this version of the client does not know are
 * passed over; {@code client.entities()} shows every entity whole, as a map.
 */
package io.selvedge.client.model;
