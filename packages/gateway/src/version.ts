/** The version of the gateway, which pages are told. */
export const gatewayVersion = "0.1.0";
