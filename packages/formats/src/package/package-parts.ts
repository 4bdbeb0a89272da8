import type { Api, ApiEntity, ApiRelation } from '@cadmus/model/api/api'
import type { PackageDatabase } from '@cadmus/model/database-types'
import type { Dialect } from '@cadmus/sql/dialect'
import { identifierOf } from '../data-model/format.ts'
import { apiNames, plainName } from '../api-names.ts'
import { apiOperations } from '../api-operations.ts'

export type PackageParts = {
  readonly api: Api
  readonly databaseType: PackageDatabase
  readonly dialect: Dialect
  readonly pool: string
  /** Database names of tables and columns, by API name. */
  readonly tables: ReadonlyMap<string, PackageTable>
  /** Name of the service that reads one record, by entity name. */
  readonly readers: ReadonlyMap<string, string>
  /** Dotted path of each entity's model, by entity name. */
  readonly models: ReadonlyMap<string, string>
}

export type PackageTable = { readonly name: string; readonly columns: ReadonlyMap<string, string> }

/** Folder of an entity's services, a Java identifier. */
export function folderOf(api: Api, { name }: ApiEntity): string {
  return identifierOf((apiNames(api).get(name)?.type ?? plainName(name)).toLowerCase())
}

/** Name of a field in services and SQL parameters. */
export function memberOf(api: Api, { name }: ApiEntity, field: string): string {
  return apiNames(api).get(name)?.members.get(field) ?? plainName(field)
}

/** Names of the key's fields in services. */
export function keyMembers(api: Api, entity: ApiEntity): string[] {
  return entity.key.map(({ name }) => memberOf(api, entity, name))
}

/** The fields of the records of a relation, if they refer to a key of one field: the address has the value then. */
export function fieldByKey({ key: [field, ...others] }: ApiEntity, { pairs }: ApiRelation): string | null {
  const [pair, ...further] = pairs
  return field && others.length === 0 && further.length === 0 && pair?.field === field.name ? pair.otherField : null
}

/** Names of the services that read one record. Every entity with a key has one, even if the operation is excluded. */
export function readersOf(api: Api): ReadonlyMap<string, string> {
  const named = new Map<string, string>()
  for (const { name, kind, entity } of apiOperations(api)) if (kind === 'select') named.set(entity.name, name)
  for (const entity of api.entities) {
    const type = apiNames(api).get(entity.name)?.type
    if (entity.key.length > 0 && type !== undefined && !named.has(entity.name)) named.set(entity.name, `Select${type}`)
  }
  return named
}
