import type { AggregateType, ApiType, IdentityProvider, Security } from '../configuration.ts'
import type { OperationName } from '../entity.ts'
import type { Literal } from '../values/literal.ts'

/**
 * What a package serves, resolved from its model and configuration: REST, SOAP and GraphQL, their descriptions and the SQL all take it
 * from here. `@cadmus/sql/api-of` makes it.
 */
export type Api = {
  /** The package's name, and as the protocols' addresses have it: `acme-sales`, `acme_sales`. */
  readonly name: string
  readonly namespace: string
  /** The manifest's name and what is said of it. */
  readonly title: string
  readonly description: string
  readonly version: string
  readonly protocols: readonly ApiType[]
  readonly security: ApiSecurity
  readonly options: ApiOptions
  /** In the order of the model. */
  readonly entities: readonly ApiEntity[]
}

export type ApiSecurity = {
  readonly kind: Security
  readonly identityProvider: IdentityProvider
  readonly rbac: boolean
  readonly scopes: readonly string[]
  readonly globalScopes: readonly string[]
}

export type ApiOptions = {
  readonly coalesce: boolean
  readonly limitOffset: boolean
  readonly join: boolean
  readonly tenancy: boolean
  readonly customFields: boolean
}

export type ApiEntity = {
  readonly uid: string
  readonly name: string
  /** The name in lower case, as paths have it. */
  readonly segment: string
  readonly description: string
  /** All columns in the order of the model, foreign keys in their places. */
  readonly fields: readonly ApiField[]
  /** The one field that identifies a record; null: it is only listed, made, and found by filters. */
  readonly key: ApiField | null
  readonly relations: readonly ApiRelation[]
  /** Absent: excluded, or not possible. `scopes`: the entity's own, one of which (or a global one) is needed. */
  readonly operations: Readonly<Partial<Record<OperationName, { readonly scopes: readonly string[] }>>>
  readonly aggregates: readonly ApiAggregate[]
  /** Whether every change is recorded: the source of truth. */
  readonly history: boolean
}

/**
 * What a field holds. On the wire: `integer` a number, and text beyond 2^53; `decimal` always text, `double` a number; dates and moments ISO 8601
 * (moments without a zone); `binary` Base64; `json` as it is.
 */
export type ApiFieldType =
  | { readonly kind: 'text' | 'guid' | 'double' | 'boolean' | 'date' | 'time' | 'timestamp' | 'json' | 'binary' }
  | { readonly kind: 'integer'; readonly bits: 16 | 32 | 64 }
  | { readonly kind: 'decimal'; readonly precision: number | null; readonly scale: number }

export type ApiField = {
  readonly uid: string
  readonly name: string
  readonly description: string
  readonly type: ApiFieldType
  readonly nullable: boolean
  /** Made by the database: never sent by a caller. */
  readonly generated: boolean
  readonly default: Literal | null
  /** In characters; null: as many as one likes. */
  readonly maxLength: number | null
  readonly choices: readonly Literal[]
  readonly unique: boolean
  /** The record that a foreign key names; null also where its entity is outside of the package. */
  readonly references: { readonly entity: string; readonly field: string } | null
}

/** A way from one record to others. Names are unique among the fields and relations of an entity. */
export type ApiRelation = {
  readonly name: string
  readonly kind: 'toOne' | 'toMany'
  /** The other entity's name. */
  readonly entity: string
  /** This entity's field, and the other's that equals it. */
  readonly field: string
  readonly otherField: string
}

export type ApiAggregate = {
  readonly name: string
  readonly columns: readonly { readonly field: string; readonly type: AggregateType; readonly alias: string }[]
}
