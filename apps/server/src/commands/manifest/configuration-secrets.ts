import { type Configuration, isPlaceholder, secretPlaceholder } from '@cadmus/model/configuration'
import type { Conflict } from '@cadmus/model/merge/items'
import { limits } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import { invalid } from '../../errors/api-error.ts'
import { yieldToEventLoop } from '../../event-loop.ts'
import { restorationsOf } from '../../store/audit-of-target.ts'
import type { Db } from '../../store/database.ts'
import { configurationAsStored, placeholderFor } from '../../store/manifest-configuration.ts'
import type { ManifestRow } from '../../store/manifest.ts'

/** Encrypts and decrypts stored secrets. */
export type Box = { encrypt: (text: string) => string; decrypt: (closed: string) => string | undefined }

/** The box, recording the placeholders of secrets it encrypts. */
export function recordingBox(box: Box): Box & { typed: readonly string[] } {
  const typed: string[] = []
  const encrypt = (text: string) => {
    const closed = box.encrypt(text)
    typed.push(placeholderFor(closed))
    return closed
  }
  return { encrypt, decrypt: closed => box.decrypt(closed), typed }
}

/**
 * The configuration with its placeholders replaced by stored secrets, for storing; its typed secrets are encrypted already. 400 for the
 * placeholder of a missing secret.
 */
export function withStoredSecrets(configuration: Configuration, stored: StoredSecrets): Configuration {
  const { connectionPoolInfo, customProperties } = configuration.packageProperties
  const { password } = connectionPoolInfo
  const closed = (value: string, storedEntry: string | undefined, at: string, name: string) => {
    if (!isPlaceholder(value)) return value
    if (storedEntry !== undefined) return storedEntry
    const message = messages.secretUnknown(name)
    throw invalid(message, [{ path: `packageProperties.${at}`, message }])
  }
  const valueOf = ({ name, value }: { name: string; value: string }, index: number) =>
    closed(value, stored.property(name, value), `customProperties.${index}.value`, name)
  return withSecrets(
    configuration,
    closed(password, stored.password(password), 'connectionPoolInfo.password', 'Connection Password'),
    customProperties.map((item, index) => (item.secret ? { ...item, value: valueOf(item, index) } : item)),
  )
}

/** Encrypts every typed secret and keeps placeholders. 400 for an oversized configuration. Yields to the event loop, because a request may contain tens of thousands. */
export async function sealedAsTyped(box: Pick<Box, 'encrypt'>, configuration: Configuration): Promise<Configuration> {
  checkSize(configuration)
  const { connectionPoolInfo, customProperties } = configuration.packageProperties
  const closed = (value: string) => (value === '' || isPlaceholder(value) ? value : box.encrypt(value))
  const properties: typeof customProperties = []
  for (const item of customProperties) {
    properties.push(item.secret ? { ...item, value: closed(item.value) } : item)
    await yieldToEventLoop()
  }
  return withSecrets(configuration, closed(connectionPoolInfo.password), properties)
}

/** 400 for a configuration too large as a whole, even if each field is within its limit. Its secrets may be encrypted. */
export function checkSize(configuration: Configuration): void {
  const size = JSON.stringify(configuration).length
  if (size <= limits.configurationContent) return
  const message = messages.configurationTooLarge(limits.configurationContent, size)
  throw invalid(message, [{ path: '', message }])
}

function withSecrets(
  configuration: Configuration,
  password: string,
  customProperties: Configuration['packageProperties']['customProperties'],
): Configuration {
  const { connectionPoolInfo } = configuration.packageProperties
  const packageProperties = { connectionPoolInfo: { ...connectionPoolInfo, password }, customProperties }
  return { ...configuration, packageProperties }
}

/**
 * Replaces secrets that the same user has typed since the base and sends again, as after a lost answer, to avoid a conflict. Does not
 * reveal whether a secret equals one typed by another user, even if it was stored again or under another name.
 */
export function withOwnSecrets(
  box: Box,
  mine: Configuration,
  conflicts: readonly (Conflict & { userId: string; typed: readonly string[] })[],
  userId: string,
): Configuration {
  const isOwn = (conflict: (typeof conflicts)[number]) => {
    if (conflict.userId !== userId || !conflict.typed.includes(placeholderFor(String(conflict.theirs)))) return false
    const texts = [conflict.mine, conflict.theirs].map(closed =>
      typeof closed === 'string' ? box.decrypt(closed) : undefined,
    )
    return texts[0] !== undefined && texts[0] === texts[1]
  }
  const own = new Map(conflicts.filter(isOwn).map(({ mine: closed, theirs }) => [closed, String(theirs)]))
  if (own.size === 0) return mine
  const { connectionPoolInfo, customProperties } = mine.packageProperties
  const stored = (value: string) => own.get(value) ?? value
  return {
    ...mine,
    packageProperties: {
      connectionPoolInfo: { ...connectionPoolInfo, password: stored(connectionPoolInfo.password) },
      customProperties: customProperties.map(item => (item.secret ? { ...item, value: stored(item.value) } : item)),
    },
  }
}

/** Names of changed secrets, without values; empty if there are none. Encrypted secrets are compared in encrypted form. */
export function changedSecrets(before: Configuration, after: Configuration): string {
  const [was, is] = [before.packageProperties, after.packageProperties]
  const stored = new Map(was.customProperties.flatMap(({ name, secret, value }) => (secret ? [[name, value]] : [])))
  const changed = is.customProperties.filter(
    ({ name, secret, value }) => secret && (stored.get(name) ?? value) !== value,
  )
  return [
    ...(was.connectionPoolInfo.password === is.connectionPoolInfo.password
      ? []
      : ['The connection password was changed.']),
    ...changed.map(({ name }) => `The secret value of ${name} was changed.`),
  ].join(' ')
}

/** The referenced secret in encrypted form; undefined if missing. Passwords and properties are never mixed. */
type StoredSecrets = {
  password: (placeholder: string) => string | undefined
  property: (name: string, placeholder: string) => string | undefined
}

/** A new manifest has no stored secrets. */
export const noSecrets: StoredSecrets = { password: () => undefined, property: () => undefined }

type Secrets = { password: string; properties: Map<string, string> }

/** Limit of previous states to search: an undo refers to a recent one. */
const maxStates = 25

/**
 * Resolves the placeholders of the configuration in the given states, the base first, then in previous states of the manifest, so that a replaced
 * secret can be restored.
 */
export async function storedSecrets(
  db: Db,
  manifest: ManifestRow,
  configuration: Configuration,
  states: readonly [Configuration, ...Configuration[]],
): Promise<StoredSecrets> {
  const base = secretsIn(states[0])
  const [passwords, properties] = [new Map<string, string>(), new Map<string, string>()]
  const add = (state: Configuration) => {
    const secrets = secretsIn(state)
    passwords.set(placeholderFor(secrets.password), secrets.password)
    for (const sealed of secrets.properties.values()) properties.set(placeholderFor(sealed), sealed)
  }
  const isComplete = () => {
    const { password, properties: all } = secretsIn(configuration)
    return (
      isResolvable(passwords, password) && [...all.values()].every(placeholder => isResolvable(properties, placeholder))
    )
  }
  states.forEach(add)
  if (!isComplete()) for await (const state of statesBefore(db, manifest)) if ((add(state), isComplete())) break
  return {
    password: placeholder => (placeholder === secretPlaceholder ? base.password : passwords.get(placeholder)),
    property: (name, placeholder) =>
      placeholder === secretPlaceholder ? base.properties.get(name) : properties.get(placeholder),
  }
}

function isResolvable(resolvable: ReadonlyMap<string, string>, value: string): boolean {
  return value === secretPlaceholder || !isPlaceholder(value) || resolvable.has(value)
}

/** Previous configurations of the manifest, newest first. */
async function* statesBefore(db: Db, manifest: ManifestRow): AsyncGenerator<Configuration, void> {
  const { organisation_id: organisationId } = manifest
  let left = maxStates
  for await (const { restoration } of restorationsOf(db, organisationId, manifest.id, 'configuration')) {
    const hash = restoration.manifest?.configuration_hash
    if (hash !== undefined) yield configurationAsStored(db, { ...manifest, configuration_hash: hash })
    left -= 1
    if (left === 0) return
    await yieldToEventLoop()
  }
}

function secretsIn({ packageProperties }: Configuration): Secrets {
  const { connectionPoolInfo, customProperties } = packageProperties
  const secret = customProperties.filter(item => item.secret)
  return { password: connectionPoolInfo.password, properties: new Map(secret.map(({ name, value }) => [name, value])) }
}
