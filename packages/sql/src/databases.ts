import { type DatabaseType, databaseTypeTable, type PackageDatabase } from '@cadmus/model/database-types'
import type { NamingRules } from '@cadmus/model/validation/subject'
import type { DatabaseKind } from './database-kind.ts'
import * as all from './databases/all.ts'

type Having<C extends keyof DatabaseKind> = Required<Pick<DatabaseKind, C>>
type With<C extends keyof DatabaseKind> = {
  [K in keyof typeof all]: (typeof all)[K] extends Having<C> ? K : never
}[keyof typeof all]

/** Every database by name. */
export const databases = all satisfies Readonly<
  Record<string, DatabaseKind> &
    Record<DatabaseType, Having<'export' | 'reserved'>> &
    Record<PackageDatabase, Having<'package'>>
>

/** Databases whose scripts can be imported. */
export type ScriptDatabase = With<'read'>

/** Databases on which instances can run packages. */
export type RunDatabase = With<'run'>

export const scriptDatabases: readonly ScriptDatabase[] = databasesWith('read')

function databasesWith<C extends keyof DatabaseKind>(capability: C): With<C>[] {
  const kinds: Readonly<Record<string, DatabaseKind>> = databases
  const has = (id: string): id is With<C> => kinds[id]?.[capability] !== undefined
  return Object.keys(kinds).filter(has)
}

/** The rules of these databases for names, for validation. */
export function namingRules(types: readonly DatabaseType[]): NamingRules[] {
  return types.map(type => {
    const { reserved, export: dialect } = databases[type]
    const { limit, size } = dialect.names
    return { label: databaseTypeTable[type].label, reserved, limit, size }
  })
}
