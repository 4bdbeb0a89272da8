import { embeddedDatabase } from '@cadmus/model/database-types'
import type { ServerDatabase } from './driver.ts'

/** The target of a connection: an embedded database by name, or a server. */
export type ConnectionAddress =
  | { readonly dialect: 'sqlite'; readonly database: string }
  | { readonly dialect: ServerDatabase; readonly host: string; readonly port: number; readonly database: string }

const host = '(?<host>[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?|\\[[0-9A-Fa-f:.]{2,45}\\])'
const port = '(?<port>[1-9]\\d{0,4})'
const database = '(?<database>[A-Za-z0-9_](?:[A-Za-z0-9_.$-]{0,126}[A-Za-z0-9_$])?)'

/** The URL forms of the package templates; the port is optional, options must match the template. */
const forms: readonly {
  readonly dialect: ServerDatabase
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

/** Parses a connection URL in linear time; null if it matches no template. */
export function readConnectionUrl(url: string): ConnectionAddress | null {
  if (url.length > 500) return null
  const embedded = embeddedDatabase(url)
  if (embedded !== undefined) return { dialect: 'sqlite', database: embedded }
  for (const { dialect, port: defaultPort, form } of forms) {
    const parts = form.exec(url.trim())?.groups
    if (!parts) continue
    const name = parts['database'] ?? ''
    const portNumber = Number(parts['port'] ?? defaultPort)
    const bare = (parts['host'] ?? '').replace(/^\[|\]$/g, '')
    return portNumber > 65_535 ? null : { dialect, host: bare, port: portNumber, database: name }
  }
  return null
}
