import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isPasswordLeftOut } from '@cadmus/formats/package/delivery'
import type { ReadPackage } from '@cadmus/formats/package/read'
import * as z from 'zod'
import { writeWhole } from '../data-dir.ts'
import { type ConnectionAddress, readConnectionUrl } from '../drivers/connection-url.ts'
import type { DatabaseSettings } from '../drivers/settings.ts'
import { HttpError, invalid } from '../http-error.ts'
import type { Sealer } from '../sealer.ts'

/** A connection under a name of its own, as the operator or a console saved it. */
export const databaseSchema = z.object({
  name: z.string().regex(/^[\w-]{1,100}$/, 'The name has 1 to 100 letters, digits, - and _.'),
  url: z.string().min(1).max(500),
  username: z.string().max(200).default(''),
  password: z.string().max(1000).default(''),
  driverClassName: z.string().max(200).default(''),
  autoStart: z.boolean().default(true),
  /** The uid of the organisation whose packages alone may use it; null: anybody's. */
  owner: z.string().min(1).max(100).nullable().default(null),
})
export type NamedDatabase = z.output<typeof databaseSchema>

/** The instance's own database, which is always there. */
export const embedded: NamedDatabase = {
  name: 'embedded',
  // What the platform calls its embedded database: a package that is built for it runs on either.
  url: 'jdbc:hsqldb:file:${toroesb.home}data/hsql/embedded.db;hsqldb.tx=MVCC;sql.syntax_mys=true',
  username: 'sa',
  password: '',
  driverClassName: 'org.hsqldb.jdbc.JDBCDriver',
  autoStart: true,
  owner: null,
}

/** Where a package's tables are. `apart`: where they are when they are another package's there, which had its name; null: nowhere. */
export type PackagePlace = {
  readonly settings: DatabaseSettings
  /** For whoever manages the instance. */
  readonly title: string
  readonly apart: DatabaseSettings | null
  /** It was so, and the settings are those. */
  readonly isApart: boolean
}

type Placed = Pick<ReadPackage, 'id' | 'name' | 'properties' | 'delivery' | 'model'>

type Settings = { readonly dataDir: string; readonly allowedDatabases: readonly string[] | null }

/** The databases that the instance knows by name, their file sealed, and where a package's tables are. */
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

  /** The embedded one first, the others by name. */
  list(): NamedDatabase[] {
    return [embedded, ...[...this.#saved.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))]
  }

  find(name: string): NamedDatabase | undefined {
    return name === embedded.name ? embedded : this.#saved.get(name)
  }

  save(database: NamedDatabase): void {
    if (database.name === embedded.name) throw new HttpError(409, "The database 'embedded' is the instance's own.")
    this.addressOf(database.url)
    this.#write(new Map(this.#saved).set(database.name, database))
  }

  /** Whether there was one. */
  remove(name: string): boolean {
    if (name === embedded.name) throw new HttpError(409, "The database 'embedded' is the instance's own.")
    if (!this.#saved.has(name)) return false
    this.#write(new Map([...this.#saved].filter(([other]) => other !== name)))
    return true
  }

  /** Where a connection goes. Throws an HttpError for an address that is none, or that this instance may not connect to. */
  addressOf(url: string): ConnectionAddress {
    const address = readConnectionUrl(url)
    if (address === null) throw invalid('The address of the database is not one that this instance can connect to.')
    const { allowedDatabases } = this.#settings
    if (address.dialect === 'sqlite' || allowedDatabases === null) return address
    if (allowedDatabases.includes(`${address.host}:${address.port}`)) return address
    throw invalid(`This instance may not connect to ${address.host}:${address.port}.`)
  }

  /**
   * Where a package's tables are: in the database that its properties name where the instance knows one of that name, else in the one that
   * they describe. Where neither name nor address were chosen it is the embedded one, of which each package has a file of its own. Throws an
   * HttpError.
   */
  ofPackage(loaded: Placed): PackagePlace {
    const { properties, delivery, model } = loaded
    const named = this.find(properties.get('database.name') ?? '')
    if (named !== undefined && named.owner !== null && named.owner !== delivery.owner) {
      throw invalid(`The database '${named.name}' of this instance is not for this package's organisation.`)
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
        'The package came without the password of its database: upload it with the password, or save the database here under its name.',
      )
    }
    const settings = { ...address, username: named?.username ?? own('username'), password }
    return { settings, title: `'${address.database}' at ${address.host}:${address.port}`, apart: null, isApart: false }
  }

  /** The first package of a name has the plain file. One that it is not of gets another, and finds that again. */
  #embeddedOf(loaded: Placed, database: string): PackagePlace {
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
    return z.array(databaseSchema).parse(JSON.parse(this.#sealer.open(readFileSync(this.#file)).toString('utf8')))
  }

  #write(databases: ReadonlyMap<string, NamedDatabase>): void {
    writeWhole(this.#file, this.#sealer.seal(Buffer.from(JSON.stringify([...databases.values()]))))
    this.#saved.clear()
    for (const [name, database] of databases) this.#saved.set(name, database)
  }
}

/** What tells packages of one name from each other: whose they are, and which manifest they were built from. */
function ownerMark({ id, model }: Placed, owner: string | null): string {
  const uid = model.manifests.find(manifest => manifest.id === model.root)?.uid ?? ''
  return createHash('sha256')
    .update(JSON.stringify(owner === null ? [id, uid] : [owner, uid]))
    .digest('hex')
    .slice(0, 16)
}

/** The properties of such a package have the address of a template, where nobody has a database. */
function isUnchosen({ configuration }: ReadPackage['model']): boolean {
  const { url, databaseName } = configuration.packageProperties.connectionPoolInfo
  return url.trim() === '' && databaseName.trim() === ''
}
