import * as coda from "@codahq/packs-sdk";

export const pack = coda.newPack();
pack.setVersion("1");
pack.setUserAuthentication({ type: coda.AuthenticationType.None });
