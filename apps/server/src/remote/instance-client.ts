import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import type { InstancePackage } from '@cadmus/model/contract/instance'
import { type RecordCounts, recordCounts } from '@cadmus/model/contract/publish'
import { holdsMoreThan, isDeeperThan } from '@cadmus/model/json-depth'
import { limits } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import { hiddenPackages, type UploadState } from '@cadmus/model/package'
import { embeddedDatabase, packageDatabaseOf, packageDatabaseTable } from '@cadmus/model/database-types'
import { lossDigestText, maxSchemaSteps, schemaStep } from '@cadmus/model/schema-step'
import type { PackageOwner } from '../commands/package/package-owner.ts'
import { ApiError, forbidden } from '../errors/api-error.ts'
import { callRemote, type RemoteAnswer, RemoteError, type RemoteRequest } from './call-remote.ts'
import type { InstanceTarget } from './instance-target.ts'

const texts = messages.packages.instance
/** Fixed client credentials of the instance protocol; they grant nothing without a user. */
const client = { client_id: 'TOROMartini', client_secret: 'TOROMartini' }
const maxItems = 1000
const maxReasonLength = 500
const maxJsonValues = 40 * maxItems
const maxJsonBytes = 2 * 1024 * 1024
/** Shorter passwords occur in any text. */
const minSecretLength = 4

const text = z
  .string()
  .nullish()
  .transform(value => value ?? '')
const packageSchema = z.object({
  id: text,
  owner: text,
  name: z.string(),
  version: text,
  status: text,
  reason: text,
  runningVersion: text,
  // Unreadable steps are dropped; the reason contains them too.
  steps: z.array(schemaStep).max(maxSchemaSteps).catch([]),
  stepCount: z.number().int().catch(0),
  lossDigest: lossDigestText.optional().catch(undefined),
  warnings: z.array(z.string().max(maxReasonLength)).max(10).catch([]),
})
const obstacle = z.object({
  text: z.string().max(maxReasonLength),
  entity: text,
  attribute: z.object({ kind: z.enum(['typeAttribute', 'entityAttribute']), uid: text }),
})
export type RemoteObstacle = z.output<typeof obstacle>
// Earlier instances report no obstacles.
const previewSchema = packageSchema.pick({ name: true, warnings: true })
const previewsSchema = z.array(
  previewSchema.extend({
    obstacles: z.array(obstacle).max(20).catch([]),
    counts: recordCounts.nullable().catch(null),
  }),
)
const packagesSchema = z.object({ items: z.array(packageSchema) })
const databasesSchema = z.object({ items: z.array(z.object({ id: text, name: z.string(), owner: text })) })
const databaseSchema = z.object({
  name: text,
  owner: text,
  url: text,
  username: text,
  driverClassName: text,
  type: text,
})
const messageSchema = z.object({ message: z.string().min(1).max(maxReasonLength) })
// Other characters cannot be sent in a header.
const tokenSchema = z.object({ access_token: z.string().regex(/^[!-~]+$/) })

export type RemotePackage = z.output<typeof packageSchema>

type UploadRequest = {
  zip: Uint8Array
  name: string
  state: UploadState
  allowDataLoss: boolean
  lossDigest: string | undefined
}

/**
 * Calls the management API of an instance. Throws an ApiError whose code names the cause. Credentials appear in no
 * message and no log.
 */
export class InstanceClient {
  readonly #target: InstanceTarget
  #token: string | undefined

  constructor(target: InstanceTarget) {
    this.#target = target
  }

  /** Includes the instance's own packages. */
  async allPackages(): Promise<RemotePackage[]> {
    const { items } = await this.#read(`/esbapi/packages?size=${maxItems}`, packagesSchema)
    return items.map(item => this.#withSafeTexts(item))
  }

  /**
   * Packages for pickers, sorted by name. On a shared instance, packages of other organisations show only their name.
   */
  async packages(owner: PackageOwner): Promise<InstancePackage[]> {
    const all = await this.allPackages()
    return all
      .filter(({ name }) => !hiddenPackages.includes(name))
      .map(remotePackage => (this.isOwn(remotePackage, owner) ? shownPackage(remotePackage) : nameInUse(remotePackage)))
      .toSorted((one, other) => (one.name < other.name ? -1 : 1))
  }

  /** Other and earlier instances send no owner; the package id identifies it on a shared one then. */
  isOwn(remotePackage: RemotePackage, owner: PackageOwner): boolean {
    if (!this.#target.shared || owner.isAlone) return true
    return remotePackage.owner === ''
      ? owner.ownsUnstated(remotePackage.id, remotePackage.name)
      : remotePackage.owner === owner.uid
  }

  /** On a shared instance: the organisation's own databases and those the operator saved for all. */
  async databases({ uid }: PackageOwner): Promise<{ id: string; name: string }[]> {
    const { items } = await this.#read(`/esbapi/databases?size=${maxItems}`, databasesSchema)
    return items
      .filter(({ owner }) => this.#mayUse(owner, uid))
      .map(({ id, name }) => ({ id: id || name, name }))
      .toSorted((one, other) => (one.name < other.name ? -1 : 1))
  }

  #mayUse(owner: string, uid: string): boolean {
    return !this.#target.shared || owner === '' || owner === uid
  }

  /**
   * Databases of another organisation are reported as missing. Address and user of a database saved for all are
   * shown only if there is one organisation.
   */
  async database(
    name: string,
    { uid, isAlone }: PackageOwner,
  ): Promise<{ name: string; url: string; username: string; type: string }> {
    const answer = await this.#call(`/esbapi/databases/${encodeURIComponent(name)}`)
    if (answer.status === 404) throw failed(texts.noDatabase(name))
    const { url, username, driverClassName, type, owner } = this.#parse(this.#checkStatus(answer), databaseSchema)
    if (!this.#mayUse(owner, uid)) throw failed(texts.noDatabase(name))
    const kind = databaseKind({ url, driver: driverClassName, type })
    const isShown = !this.#target.shared || isAlone || owner === uid || embeddedDatabase(url) !== undefined
    return isShown ? { name, url, username, type: kind } : { name, url: '', username: '', type: kind }
  }

  /** Undefined if the instance has no package of this name. */
  async package(name: string): Promise<RemotePackage | undefined> {
    const answer = await this.#call(`/esbapi/packages/${encodeURIComponent(name)}`)
    if (answer.status === 404) return undefined
    return this.#withSafeTexts(this.#parse(this.#checkStatus(answer), packageSchema))
  }

  /** Success does not mean that the package is loaded, and 504 does not mean that the upload was rejected. */
  async upload({ zip, name, state, allowDataLoss, lossDigest }: UploadRequest): Promise<void> {
    // Sent only if set: other instance implementations need not know the parameter.
    const digestParameter = lossDigest === undefined ? '' : `&lossDigest=${lossDigest}`
    const loss = allowDataLoss ? `&allowDataLoss=true${digestParameter}` : ''
    const path = `/esbapi/packages/upload?stateOnCreate=${state}&replaceExisting=true${loss}`
    const answer = await this.#sendZip(path, name, zip)
    if (answer.status !== 504) this.#checkStatus(answer)
  }

  /**
   * The warnings that an upload would cause, the records that prevent a start, and if requested the counts of those that would be lost or
   * prevent it; null if the instance, such as an earlier release, has no preview.
   */
  async preview(
    name: string,
    zip: Uint8Array,
    options: { counts?: boolean } = {},
  ): Promise<{ warnings: string[]; obstacles: RemoteObstacle[]; counts: RecordCounts | null } | null> {
    const answer = await this.#sendZip(`/esbapi/packages/preview${options.counts ? '?counts=true' : ''}`, name, zip)
    if (answer.status === 404 || answer.status === 405) return null
    const previews = this.#parse(this.#checkStatus(answer), previewsSchema)
    const preview = previews.find(one => one.name === name) ?? { warnings: [], obstacles: [], counts: null }
    const { warnings, obstacles, counts } = preview
    const hide = (text: string) => this.#withoutSecrets(text)
    const texts = obstacles.map(one => ({ ...one, text: hide(one.text) }))
    return { warnings: warnings.map(hide), obstacles: texts, counts }
  }

  async #sendZip(path: string, name: string, zip: Uint8Array): Promise<RemoteAnswer> {
    const boundary = `cadmus-${randomUUID()}`
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}.zip"\r\nContent-Type: application/zip\r\n\r\n`
    const body = Buffer.concat([Buffer.from(head), zip, Buffer.from(`\r\n--${boundary}--\r\n`)])
    const headers = {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(body.length),
    }
    return this.#call(path, { method: 'POST', headers, body })
  }

  async #read<T extends z.ZodType>(path: string, schema: T): Promise<z.output<T>> {
    return this.#parse(this.#checkStatus(await this.#call(path)), schema)
  }

  async #call(path: string, remoteRequest: Partial<RemoteRequest> = {}): Promise<RemoteAnswer> {
    const token = await this.#authenticate()
    const authorization: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const headers = { accept: 'application/json', ...authorization, ...remoteRequest.headers }
    return this.#send(path, { method: remoteRequest.method ?? 'GET', headers, body: remoteRequest.body ?? null })
  }

  /** Requests the token once per client. */
  async #authenticate(): Promise<string | undefined> {
    const { access } = this.#target
    if (access === null) return undefined
    this.#token ??= 'token' in access ? access.token : await this.#requestToken(access.credentials)
    return this.#token
  }

  async #requestToken({ username, password }: { username: string; password: string }): Promise<string> {
    const form = new URLSearchParams({ grant_type: 'password', username, password, ...client })
    const takeBack = this.#target.beginSignIn()
    let isWrong = false
    try {
      const answer = await this.#send('/oauth/token', {
        method: 'POST',
        headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
        body: form.toString(),
      })
      // Statuses of a rejected password grant.
      isWrong = answer.status === 400 || answer.status === 401
      if (isWrong) throw this.#rejection()
      return this.#parse(this.#checkStatus(answer), tokenSchema).access_token
    } finally {
      if (!isWrong) takeBack()
    }
  }

  async #send(path: string, remoteRequest: RemoteRequest): Promise<RemoteAnswer> {
    const { url, trusted, name } = this.#target
    const address = new URL(`${url.origin}${url.pathname.replace(/\/+$/, '')}${path}`)
    try {
      return await callRemote(address, remoteRequest, trusted)
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error
      if (error.isForbidden) throw forbidden(texts.forbidden(name), 'instance_forbidden')
      throw new ApiError(409, 'instance_unreachable', texts.unreachable(name), { detail: error })
    }
  }

  #checkStatus(answer: RemoteAnswer): RemoteAnswer {
    const { name } = this.#target
    if (answer.status === 401) throw this.#rejection()
    if (answer.status === 403) throw new ApiError(409, 'instance_not_allowed', texts.notAllowed(name))
    if (answer.status >= 200 && answer.status < 300) return answer
    throw failed(this.#messageOf(answer) ?? texts.unexpectedStatus(name, answer.status))
  }

  #rejection(): ApiError {
    return new ApiError(409, 'instance_refused', texts.refused(this.#target.name))
  }

  #parse<T extends z.ZodType>(answer: RemoteAnswer, schema: T): z.output<T> {
    const read = schema.safeParse(jsonOf(answer))
    if (read.success) return read.data
    throw failed(texts.unreadable(this.#target.name))
  }

  /** Returns the instance's message for a rejected request; server errors are not passed on. */
  #messageOf(answer: RemoteAnswer): string | undefined {
    const read = messageSchema.safeParse(jsonOf(answer))
    return read.success && answer.status < 500 ? this.#withoutSecrets(read.data.message) : undefined
  }

  #withSafeTexts(remotePackage: RemotePackage): RemotePackage {
    const { reason, warnings } = remotePackage
    const hide = (text: string) => this.#withoutSecrets(text)
    return { ...remotePackage, reason: hide(reason), warnings: warnings.map(hide) }
  }

  /** A text of the instance, which may repeat what it was sent. */
  #withoutSecrets(text: string): string {
    const { access } = this.#target
    const secret = access === null ? undefined : 'token' in access ? access.token : access.credentials.password
    const secrets = [secret ?? '', this.#token ?? ''].filter(one => one.length >= minSecretLength)
    return secrets
      .flatMap(one => [one, encodeURIComponent(one), new URLSearchParams({ '': one }).toString().slice(1)])
      .reduce((shown, one) => shown.replaceAll(one, '•••'), text)
  }
}

function shownPackage({ id, name, version, status, runningVersion }: RemotePackage): InstancePackage {
  return {
    id: id || name,
    name,
    versions: version === '' ? [] : [version],
    status,
    ...(runningVersion === '' || runningVersion === version ? {} : { runningVersion }),
  }
}

function nameInUse({ name }: RemotePackage): InstancePackage {
  return { id: name, name, versions: [], status: '', taken: true }
}

export function failed(message: string): ApiError {
  return new ApiError(409, 'instance_failed', message)
}

/** Returns undefined for invalid or oversized JSON: the server at the address is not trusted. */
function jsonOf({ body }: RemoteAnswer): unknown {
  if (body.length > maxJsonBytes) return undefined
  const json = body.toString('utf8')
  if (holdsMoreThan(json, maxJsonValues) || isDeeperThan(json, limits.jsonDepth)) return undefined
  try {
    const read: unknown = JSON.parse(json)
    return read
  } catch {
    return undefined
  }
}

/** Drivers that are named after their vendor. */
const codes = new Map([
  ['ibm', 'db2'],
  ['microsoft', 'mssql'],
])

/**
 * Derives a configuration's database type from the JDBC address, type or driver. Returns the upper-case name of an
 * unsupported type, such as H2, and MYSQL if there is no hint.
 */
function databaseKind({ url, driver, type }: { url: string; driver: string; type: string }): string {
  const scheme = /^jdbc:([a-z0-9]+):/i.exec(url)?.[1]
  // The vendor in a driver class: com.mysql.cj.jdbc.Driver, org.h2.Driver, oracle.jdbc.OracleDriver.
  const vendor = /^(?:(?:com|net|org)\.)?([a-z0-9]+)(?:\.|$)/i.exec(driver)?.[1]
  const words = [scheme, type.toLowerCase() === 'jdbc' ? undefined : type, vendor && (codes.get(vendor) ?? vendor)]
  const word = words.find(one => one !== undefined && one !== '')
  if (word === undefined) return packageDatabaseTable.mysql.configuration
  const supported = packageDatabaseOf(word)
  return supported === undefined ? word.toUpperCase() : packageDatabaseTable[supported].configuration
}
