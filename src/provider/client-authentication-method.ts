/** How a client proves itself at the token endpoint (names of the IANA registry, RFC 7591 §2). */
export type ClientAuthenticationMethod = "client_secret_basic" | "client_secret_post" | "private_key_jwt" | "none";
