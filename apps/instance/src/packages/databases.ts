import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isPasswordLeftOut } from '@cadmus/formats/package/delivery'
import type { ReadPackage } from '@cadmus/formats/package/read'
import { numbered, readStored, type StoredForm } from '@cadmus/model/stored/stored-form'
import * as z from 'zod'
import { writeAtomically } from '../data-dir.ts'
import { type ConnectionAddress, readConnectionUrl } from '../drivers/connection-url.ts'
import type { DatabaseSettings } from '../drivers/driver.ts'
import { HttpError, invalid } from '../http-error.ts'
import type { Sealer } from '../sealer.ts'

/** A named connection, saved by the operator or a console. */
export const databaseSchema = z.object({
  name: z.string().regex(/^[\w-]{1,100}$/, 'The name must have 1 to 100 letters, digits, - and _.'),
  url: z.string().min(1).max(500),
  username: z.string().max(200).default(''),
  password: z.string().max(1000).default(''),
  driverClassName: z.string().max(200).default(''),
  autoStart: z.boolean().default(true),
  /** The uid of the only organisation that may use it; null: all. */
  owner: z.string().min(1).max(100).nullable().default(null),
})
export type NamedDatabase = z.output<typeof databaseSchema>

/** The text in `databases.sealed`. */
export const databasesForm: StoredForm<{ databases: NamedDatabase[] }> = {
  name: 'databases',
  format: 2,
  schema: z.object({ databases: z.array(databaseSchema) }),
  // Format 1 was the list alone.
  unnumbered: 1,
  upgrades: { 1: databases => ({ databases }) },
}

export const embedded: NamedDatabase = {
  name: 'embedded',
  // The URL of the platform's embedded database, so that packages built for it run here too.
  url: 'jdbc:hsqldb:file:${toroesb.home}data/hsql/embedded.db;hsqldb.tx=MVCC;sql.syntax_mys=true',
  username: 'sa',
  password: '',
  driverClassName: 'org.hsqldb.jdbc.JDBCDriver',
  autoStart: true,
  owner: null,
}

/**
 * The database of a package. `apart`: an alternative if another package of the same name owns the tables there; null:
 * none.
 */
export type PackageDatabase = {
  readonly settings: DatabaseSettings
  /** Shown to administrators. */
  readonly title: string
  readonly apart: DatabaseSettings | null
  /** Whether `settings` are the alternative. */
  readonly isApart: boolean
}

type DatabaseSource = Pick<ReadPackage, 'id' | 'name' | 'properties' | 'delivery' | 'model'>

type Settings = { readonly dataDir: string; readonly allowedDatabases: readonly string[] | null }

/** The named databases, stored encrypted, and the choice of a package's database. */
export class Databases {
  readonly #settings: Settings
  readonly #sealer: Sealer
  readonly #saved: Map<string, NamedDatabase>

  constructor(settings: Settings, sealer: Sealer) {
    this.#settings = settings
    this.#sealer = sealer
    mkdirSync(join(settings.dataDir, 'databases'), { recursive: true, mode: 0o700 })
    this.#saved = new Map(this.#read().map(database => [database.name, database]))
  }

  /** The embedded one first, others sorted by name. */
  list(): NamedDatabase[] {
    return [embedded, ...[...this.#saved.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))]
  }

  find(name: string): NamedDatabase | undefined {
    return name === embedded.name ? embedded : this.#saved.get(name)
  }

  save(database: NamedDatabase): void {
    if (database.name === embedded.name) throw new HttpError(409, "The database 'embedded' cannot be changed.")
    this.addressOf(database.url)
    this.#write(new Map(this.#saved).set(database.name, database))
  }

  /** Returns whether it existed. */
  remove(name: string): boolean {
    if (name === embedded.name) throw new HttpError(409, "The database 'embedded' cannot be changed.")
    if (!this.#saved.has(name)) return false
    this.#write(new Map([...this.#saved].filter(([other]) => other !== name)))
    return true
  }

  /** Parses a connection URL. Throws an `HttpError` if it is invalid or not allowed. */
  addressOf(url: string): ConnectionAddress {
    const address = readConnectionUrl(url)
    if (address === null) throw invalid('This instance cannot connect to a database with this address.')
    const { allowedDatabases } = this.#settings
    if (address.dialect === 'sqlite' || allowedDatabases === null) return address
    if (allowedDatabases.includes(`${address.host}:${address.port}`)) return address
    throw invalid(`This instance may not connect to ${address.host}:${address.port}.`)
  }

  /**
   * Returns the database of a package: the named one of its properties if the instance has it, else the one they
   * describe, else its own embedded file. Throws an `HttpError`.
   */
  ofPackage(loaded: DatabaseSource): PackageDatabase {
    const { properties, delivery, model } = loaded
    const named = this.find(properties.get('database.name') ?? '')
    if (named !== undefined && named.owner !== null && named.owner !== delivery.owner) {
      throw invalid(`The database '${named.name}' belongs to another organisation.`)
    }
    const type = properties.get('database.type') ?? ''
    const own = (key: string) => properties.get(`${type}.${key}`) ?? ''
    const url = named?.url ?? own('connection.url')
    if (url === '' || (named === undefined && isUnchosen(model))) return this.#embeddedOf(loaded, embedded.name)
    const address = this.addressOf(url)
    if (address.dialect === 'sqlite') return this.#embeddedOf(loaded, address.database)
    const password = named?.password ?? own('password')
    if (named === undefined && isPasswordLeftOut(password, delivery)) {
      throw invalid(
        'The package has no database password. Upload it with the password, or save the database in this instance under its name.',
      )
    }
    const settings = { ...address, username: named?.username ?? own('username'), password }
    return { settings, title: `'${address.database}' at ${address.host}:${address.port}`, apart: null, isApart: false }
  }

  /** The first package of a name uses the plain file, others a file with a suffix. */
  #embeddedOf(loaded: DatabaseSource, database: string): PackageDatabase {
    const folder = join(this.#settings.dataDir, 'databases', loaded.name)
    const fileOf = (name: string) => ({ dialect: 'sqlite' as const, file: join(folder, `${name}.sqlite`) })
    const own = fileOf(`${database}.${ownerMark(loaded, loaded.delivery.owner)}`)
    const former = fileOf(`${database}.${ownerMark(loaded, null)}`)
    const isFormer = loaded.delivery.adopts && !existsSync(own.file) && existsSync(former.file)
    const apart = isFormer ? former : own
    const isApart = existsSync(apart.file)
    return {
      settings: isApart ? apart : fileOf(database),
      title: `the instance's embedded database '${database}'`,
      apart,
      isApart,
    }
  }

  get #file(): string {
    return join(this.#settings.dataDir, 'databases.sealed')
  }

  #read(): NamedDatabase[] {
    if (!existsSync(this.#file)) return []
    const json: unknown = JSON.parse(this.#sealer.open(readFileSync(this.#file)).toString('utf8'))
    return readStored(databasesForm, json).databases
  }

  #write(databases: ReadonlyMap<string, NamedDatabase>): void {
    const stored = numbered(databasesForm, { databases: [...databases.values()] })
    writeAtomically(this.#file, this.#sealer.seal(Buffer.from(JSON.stringify(stored))))
    this.#saved.clear()
    for (const [name, database] of databases) this.#saved.set(name, database)
  }
}

/** Distinguishes packages of one name by owner and manifest. */
function ownerMark({ id, model }: DatabaseSource, owner: string | null): string {
  const uid = model.manifests.find(manifest => manifest.id === model.root)?.uid ?? ''
  return createHash('sha256')
    .update(JSON.stringify(owner === null ? [id, uid] : [owner, uid]))
    .digest('hex')
    .slice(0, 16)
}

/** Such packages contain the placeholder address of a template. */
function isUnchosen({ configuration }: ReadPackage['model']): boolean {
  const { url, databaseName } = configuration.packageProperties.connectionPoolInfo
  return url.trim() === '' && databaseName.trim() === ''
}
