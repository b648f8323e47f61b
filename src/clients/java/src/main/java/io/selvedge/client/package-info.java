/**
 * Client of the Selvedge product-data service. Begin with {@link io.selvedge.client.SelvedgeClient}.
 */
package io.selvedge.client;
