/** One HTTP request, ready to be sent. The transport adds the credentials. */
export interface ServiceRequest {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Absolute, with its query. */
  url: string;
  /** Text of a JSON body. */
  body?: string | undefined;
  /** How long the response may come out of a cache, in seconds; the transport's own default when absent. */
  cacheTtlSecs?: number | undefined;
  /** The request may be sent again when it is unknown whether it arrived. */
  repeatable: boolean;
}

/** Any status: a transport throws only when there is no response at all. */
export interface ServiceResponse {
  status: number;
  /** Parsed JSON, else text, else undefined. */
  body: unknown;
}

export interface Timer {
  /** Milliseconds since the epoch. */
  now(): number;
  sleep(ms: number): Promise<void>;
}

/** How requests leave. The client itself uses no API of Node or the Web. */
export interface Transport {
  send(request: ServiceRequest): Promise<ServiceResponse>;
  /** Absent where code cannot wait, as inside a Pack. */
  timer?: Timer | undefined;
}
