/**
 * The port between the client and the network. Replace {@link io.selvedge.client.transport.Transport} to test code
 * that uses the client without a network, or to send requests through an HTTP library of your own.
 */
package io.selvedge.client.transport;
