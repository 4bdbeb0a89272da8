import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { defaults, limits } from '@cadmus/model/limits'
import { isLoopbackName } from '@cadmus/model/own-host'
import { foldName } from '@cadmus/model/paths'
import type { StoreSettings } from './store/database.ts'

type OidcSettings =
  | { kind: 'embedded' }
  | { kind: 'external'; issuer: URL; clientId: string; clientSecret: string | null }

/** A hosted instance offered on the page. `secret` is null when not configured. */
export type InstanceSettings = { name: string; url: URL; secret: string | null }

export type Config = {
  version: string
  port: number
  host: string
  /** Null: http://localhost on the actual port. */
  publicUrl: URL | null
  dataDir: string
  store: StoreSettings
  oidc: OidcSettings
  /** 32 bytes each; null: generated and stored in the data directory. */
  secret: Buffer | null
  oldSecret: Buffer | null
  libraryDir: string
  webDir: string
  instances: InstanceSettings[]
  allowedInstances: string[]
  allowedDatabases: string[]
  bootstrapToken: string | null
  adminClaim: string
  serviceOrganisation: string
  demo: boolean
  /** Whether the development provider sends organisation memberships. Not every real provider does. */
  demoPermissions: boolean
  logLevel: string
  /** Limits of one import, and the number of concurrent imports. */
  jobs: { seconds: number; megabytes: number; slots: number; slotsOfOrganisation: number }
}

/** Invalid settings, one sentence each, for the operator. */
export class ConfigError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'ConfigError'
    this.problems = problems
  }
}

type Environment = Record<string, string | undefined>

const repository = resolve(import.meta.dirname, '../../..')
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

/** Reads every setting; the only reader of the environment. Throws a ConfigError that lists all problems at once. */
export function readConfig(environment: Environment = process.env): Config {
  const read = new Reader(environment)
  const dataDir = resolve(read.text('CADMUS_DATA_DIR') ?? 'data')
  const config: Config = {
    version: defaults.applicationVersion,
    port: read.port('CADMUS_PORT', 4000),
    host: read.text('CADMUS_HOST') ?? '127.0.0.1',
    publicUrl: read.origin('CADMUS_PUBLIC_URL'),
    dataDir,
    store: readStore(read, dataDir),
    oidc: readOidc(read),
    secret: read.secret('CADMUS_SECRET'),
    oldSecret: read.secret('CADMUS_SECRET_OLD'),
    libraryDir: read.folder('CADMUS_LIBRARY_DIR') ?? resolve(repository, 'library'),
    webDir: resolve(repository, 'apps/web/dist'),
    instances: readInstances(read),
    allowedInstances: read.list('CADMUS_ALLOWED_INSTANCES'),
    allowedDatabases: read.list('CADMUS_ALLOWED_DATABASES'),
    bootstrapToken: read.text('CADMUS_BOOTSTRAP_TOKEN') ?? null,
    adminClaim: read.text('CADMUS_ADMIN_CLAIM') ?? 'cadmus_admin',
    serviceOrganisation: read.text('CADMUS_SERVICE_ORGANISATION') ?? defaults.organisationCode,
    demo: read.flag('CADMUS_DEMO'),
    demoPermissions: read.choice('CADMUS_DEMO_PERMISSIONS', ['sent', 'none'], 'sent') === 'sent',
    logLevel: read.choice('CADMUS_LOG_LEVEL', logLevels, 'info'),
    jobs: {
      seconds: read.count('CADMUS_IMPORT_SECONDS', limits.importSeconds),
      megabytes: read.count('CADMUS_IMPORT_MEMORY', limits.importMegabytes),
      slots: limits.importsAtOnce,
      slotsOfOrganisation: limits.importsOfOrganisation,
    },
  }
  checkCombinations(config, read)
  if (read.problems.length > 0) throw new ConfigError(read.problems)
  return config
}

function checkCombinations(config: Config, read: Reader): void {
  if (config.bootstrapToken !== null && config.bootstrapToken.length < limits.bootstrapTokenLength) {
    read.addProblem('CADMUS_BOOTSTRAP_TOKEN', `must have at least ${limits.bootstrapTokenLength} characters.`)
  }
  if (config.store.kind === 'postgres' && config.secret === null && read.text('CADMUS_SECRET') === undefined) {
    read.addProblem(
      'CADMUS_SECRET',
      'is required with PostgreSQL: 32 random bytes as 64 hexadecimal digits, the same on every server.',
    )
  }
  const loopback =
    isLoopbackName(config.host) && (config.publicUrl === null || isLoopbackName(config.publicUrl.hostname))
  if (config.oidc.kind === 'embedded' && !loopback && !config.demo) {
    read.addProblem(
      'CADMUS_OIDC_ISSUER',
      'is required: the development identity provider, where anyone can sign in, starts only if CADMUS_HOST and ' +
        'CADMUS_PUBLIC_URL are loopback addresses, or with CADMUS_DEMO=1.',
    )
  }
}

function readStore(read: Reader, dataDir: string): StoreSettings {
  const url = read.text('CADMUS_DATABASE_URL')
  if (url === undefined) return { kind: 'sqlite', file: resolve(dataDir, 'cadmus.sqlite') }
  if (!URL.canParse(url) || !/^postgres(ql)?:$/.test(new URL(url).protocol)) {
    read.addProblem('CADMUS_DATABASE_URL', 'must be a postgres:// address.')
  }
  return { kind: 'postgres', url }
}

function readOidc(read: Reader): OidcSettings {
  const issuer = read.url('CADMUS_OIDC_ISSUER')
  if (issuer === null) return { kind: 'embedded' }
  const clientId = read.text('CADMUS_OIDC_CLIENT_ID')
  if (clientId === undefined) read.addProblem('CADMUS_OIDC_CLIENT_ID', 'is required with CADMUS_OIDC_ISSUER.')
  if (issuer.protocol !== 'https:' && !isLoopbackName(issuer.hostname)) {
    read.addProblem('CADMUS_OIDC_ISSUER', 'must be an https:// address.')
  }
  return {
    kind: 'external',
    issuer,
    clientId: clientId ?? '',
    clientSecret: read.text('CADMUS_OIDC_CLIENT_SECRET') ?? null,
  }
}

function readInstances(read: Reader): InstanceSettings[] {
  const instances: InstanceSettings[] = []
  for (const entry of read.list('CADMUS_INSTANCES')) {
    const [name = '', address = ''] = entry.split(/=(.*)/s)
    if (name === '' || !URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
      read.addProblem('CADMUS_INSTANCES', `must be a list of name=url; "${entry}" is not.`)
      continue
    }
    const setting = `CADMUS_INSTANCE_SECRET_${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`
    instances.push({ name, url: new URL(address), secret: read.text(setting) ?? null })
  }
  return instances
}

/** Reads single settings and collects their problems. */
class Reader {
  readonly problems: string[] = []
  #environment: Environment

  constructor(environment: Environment) {
    this.#environment = environment
  }

  addProblem(name: string, problem: string): void {
    this.problems.push(`${name} ${problem}`)
  }

  text(name: string): string | undefined {
    const value = this.#environment[name]?.trim()
    return value === '' ? undefined : value
  }

  list(name: string): string[] {
    const parts = (this.text(name) ?? '').split(',').map(part => part.trim())
    return parts.filter(part => part !== '')
  }

  port(name: string, fallback: number): number {
    const value = this.text(name)
    if (value === undefined) return fallback
    const port = Number(value)
    if (!/^\d+$/.test(value) || port > 65_535) this.addProblem(name, 'must be a port number from 0 to 65535.')
    return port
  }

  count(name: string, fallback: number): number {
    const value = this.text(name)
    if (value === undefined) return fallback
    if (!/^[1-9]\d{0,6}$/.test(value)) this.addProblem(name, 'must be a number from 1 to 9999999.')
    return Number(value)
  }

  flag(name: string): boolean {
    return this.choice(name, ['0', '1', 'false', 'true'], '0').replace('true', '1') === '1'
  }

  choice(name: string, choices: readonly string[], fallback: string): string {
    const value = this.text(name) ?? fallback
    if (!choices.includes(value)) this.addProblem(name, `must be one of ${choices.join(', ')}.`)
    return value
  }

  url(name: string): URL | null {
    const value = this.text(name)
    if (value === undefined) return null
    if (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)) return new URL(value)
    this.addProblem(name, 'must be an http:// or https:// address.')
    return null
  }

  /** Rejects a path: the console always runs at the root of its host. */
  origin(name: string): URL | null {
    const url = this.url(name)
    if (url === null) return null
    if (url.pathname !== '/' || url.search !== '' || url.hash !== '' || url.username !== '') {
      this.addProblem(name, 'must be an address without a path, such as https://cadmus.example.com.')
    }
    return url
  }

  secret(name: string): Buffer | null {
    const value = this.text(name)
    if (value === undefined) return null
    const bytes = /^[0-9a-f]{64}$/i.test(value) ? Buffer.from(value, 'hex') : Buffer.from(value, 'base64')
    if (bytes.length === 32) return bytes
    this.addProblem(name, 'must be 32 bytes, as 64 hexadecimal digits or as Base64.')
    return null
  }

  folder(name: string): string | undefined {
    const value = this.text(name)
    if (value === undefined) return undefined
    if (!existsSync(value)) this.addProblem(name, 'must be a folder that exists.')
    return resolve(value)
  }
}

/** Only manifests of the one organisation named in the settings have service options. */
export function hasServiceOptions(
  { serviceOrganisation }: Pick<Config, 'serviceOrganisation'>,
  { code }: { code: string },
): boolean {
  return foldName(code) === foldName(serviceOrganisation)
}
