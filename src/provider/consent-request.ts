import type { AuthorizationRequest } from "./authorization-request.ts";
import type { DeviceRequest } from "./device-authorizations.ts";

/** Something that a person is asked to allow. */
export type ConsentRequest = AuthorizationRequest | DeviceRequest;
