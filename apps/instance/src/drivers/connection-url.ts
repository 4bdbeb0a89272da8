import { type DatabaseType, embeddedDatabase } from '@cadmus/model/database-types'

/** Where a connection goes: to an embedded database by its name, or to a server. */
export type ConnectionAddress =
  | { readonly dialect: 'sqlite'; readonly database: string }
  | { readonly dialect: DatabaseType; readonly host: string; readonly port: number; readonly database: string }

const host = '(?<host>[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?|\\[[0-9A-Fa-f:.]{2,45}\\])'
const port = '(?<port>[1-9]\\d{0,4})'
const database = '(?<database>[A-Za-z0-9_](?:[A-Za-z0-9_.$-]{0,126}[A-Za-z0-9_$])?)'

/** The addresses that packages have, as their templates write them; a port may be left out, options are those of the templates. */
const forms: readonly {
  readonly dialect: DatabaseType
  readonly port: number
  readonly form: RegExp
}[] = [
  { dialect: 'postgresql', port: 5432, form: new RegExp(`^jdbc:postgresql://${host}(?::${port})?/${database}$`) },
  {
    dialect: 'mysql',
    port: 3306,
    form: new RegExp(`^jdbc:mysql://${host}(?::${port})?/${database}(?:\\?sessionVariables=sql_mode='ANSI')?$`),
  },
  { dialect: 'oracle', port: 1521, form: new RegExp(`^jdbc:oracle:thin:@${host}(?::${port})?:${database}$`) },
  {
    dialect: 'mssql',
    port: 1433,
    form: new RegExp(`^jdbc:sqlserver://${host}(?::${port})?;databaseName=${database}$`),
  },
]

/** Reads a connection's address; null for any that is not written as one of the templates. Linear in its length. */
export function readConnectionUrl(url: string): ConnectionAddress | null {
  if (url.length > 500) return null
  const embedded = embeddedDatabase(url)
  if (embedded !== undefined) return { dialect: 'sqlite', database: embedded }
  for (const { dialect, port: usual, form } of forms) {
    const parts = form.exec(url.trim())?.groups
    if (!parts) continue
    const named = parts['database'] ?? ''
    const given = Number(parts['port'] ?? usual)
    const bare = (parts['host'] ?? '').replace(/^\[|\]$/g, '')
    return given > 65_535 ? null : { dialect, host: bare, port: given, database: named }
  }
  return null
}
