import type { Static, TSchema } from 'typebox'
import type { endpoints } from './endpoints.ts'

type Endpoints = typeof endpoints

/** The name of an endpoint in the contract. */
export type EndpointName = keyof Endpoints

type StaticOf<T> = T extends TSchema ? Static<T> : undefined
type Part<N extends EndpointName, K extends string> = Endpoints[N] extends { readonly [key in K]: infer P }
  ? StaticOf<P>
  : undefined

/** A part of the input, which is required exactly where the contract declares it. */
type Field<K extends string, V, IsOptional extends boolean> = [V] extends [undefined]
  ? { readonly [key in K]?: undefined }
  : IsOptional extends true
    ? { readonly [key in K]?: V }
    : { readonly [key in K]: V }

type HasOptionalBody<N extends EndpointName> = Endpoints[N] extends { readonly bodyOptional: true }
  ? true
  : false

/** The input of an endpoint: path parameters, query and body as the contract types them. */
export type EndpointInput<N extends EndpointName> = Field<'params', Part<N, 'params'>, false> &
  Field<'query', Part<N, 'query'>, true> &
  Field<'body', Part<N, 'body'>, HasOptionalBody<N>>

type Responses<N extends EndpointName> = Endpoints[N]['responses']
type SuccessStatus<N extends EndpointName> = Extract<keyof Responses<N>, 200 | 201 | 202 | 204>

/** A response with its status, which distinguishes two kinds of success: 200 done, 202 waits for approval. */
export type EndpointReply<N extends EndpointName> = {
  [S in SuccessStatus<N>]: {
    readonly status: S
    readonly body: StaticOf<Responses<N>[S]>
  }
}[SuccessStatus<N>]

/** The body of a response, whatever its status. */
export type EndpointBody<N extends EndpointName> = EndpointReply<N>['body']
