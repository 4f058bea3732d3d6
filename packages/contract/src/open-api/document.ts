/** The parts of OpenAPI 3.1 that the document uses. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0'
  readonly info: {
    readonly title: string
    readonly version: string
    readonly description: string
    readonly license: { readonly name: string; readonly identifier: string }
  }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string; readonly description?: string }[]
  /** Operations by path and lower-case method. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly responses: Readonly<Record<string, ResponseObject>>
    readonly headers: Readonly<Record<string, HeaderObject>>
    readonly parameters: Readonly<Record<string, Parameter>>
    readonly securitySchemes: Readonly<Record<string, object>>
  }
}

/** A reference, whose `description` overrides that of its target (OpenAPI 3.1, "Reference Object"). */
export interface Reference {
  readonly $ref: string
  readonly description?: string
}

export interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters: readonly (Parameter | Reference)[]
  readonly requestBody?: { readonly required: boolean; readonly content: Content }
  /** Responses by status. */
  readonly responses: Readonly<Record<string, ResponseObject | Reference>>
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly schema: JsonSchema
}

export interface ResponseObject {
  readonly description: string
  readonly headers?: Readonly<Record<string, HeaderObject | Reference>>
  readonly content?: Content
}

export interface HeaderObject {
  readonly description: string
  readonly schema: JsonSchema
}

/** Contents by content type. */
export type Content = Readonly<Record<string, { readonly schema: JsonSchema; readonly example?: unknown }>>

/** The keywords of JSON Schema 2020-12 that the contract uses. An empty schema accepts any JSON. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly description?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly examples?: readonly unknown[]
  readonly readOnly?: boolean
  readonly writeOnly?: boolean
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: JsonSchema
  /** The items of a list of fixed length, one by one. */
  readonly prefixItems?: readonly JsonSchema[]
  readonly minItems?: number
  readonly maxItems?: number
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
}
