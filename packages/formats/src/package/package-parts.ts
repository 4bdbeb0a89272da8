import type { Api, ApiEntity } from '@cadmus/model/api/api'
import type { DatabaseType } from '@cadmus/model/database-types'
import type { Dialect } from '@cadmus/sql/dialect'
import { identifierOf } from '../data-model/format.ts'
import { apiNames, plainName } from '../api-names.ts'
import { apiOperations } from '../api-operations.ts'

/** What the files of a package are written from. */
export type PackageParts = {
  readonly api: Api
  readonly databaseType: DatabaseType
  readonly dialect: Dialect
  /** What the platform's pool of connections is called. */
  readonly pool: string
  /** The names that the database has for tables and columns, by the API's. */
  readonly tables: ReadonlyMap<string, PackageTable>
  /** What the service is called that reads one record of an entity, by the entity's name. */
  readonly readers: ReadonlyMap<string, string>
  /** The dotted path of each entity's model, by the entity's name. */
  readonly models: ReadonlyMap<string, string>
}

export type PackageTable = { readonly name: string; readonly columns: ReadonlyMap<string, string> }

/** The folder of an entity's services: a Java identifier. */
export function folderOf(api: Api, { name }: ApiEntity): string {
  return identifierOf((apiNames(api).get(name)?.type ?? plainName(name)).toLowerCase())
}

/** What a field is called in services and in statements, behind a colon there. */
export function memberOf(api: Api, { name }: ApiEntity, field: string): string {
  return apiNames(api).get(name)?.members.get(field) ?? plainName(field)
}

/** The names of the services that read one record: there is one for every entity with a key, whether or not anybody may ask for it. */
export function readersOf(api: Api): ReadonlyMap<string, string> {
  const named = new Map<string, string>()
  for (const { name, kind, entity } of apiOperations(api)) if (kind === 'select') named.set(entity.name, name)
  for (const entity of api.entities) {
    const type = apiNames(api).get(entity.name)?.type
    if (entity.key && type !== undefined && !named.has(entity.name)) named.set(entity.name, `Select${type}`)
  }
  return named
}
