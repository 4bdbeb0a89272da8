import { isPlaceholder, type Configuration } from '@cadmus/model/configuration'
import type { Conflict } from '@cadmus/model/merge/items'
import { messages } from '@cadmus/model/messages'
import { invalid } from '../../errors/api-error.ts'
import { placeholderFor } from '../../store/manifest-configuration.ts'
import { yieldToEventLoop } from '../../event-loop.ts'
import type { StoredSecrets } from './stored-secrets.ts'

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

/** Encrypts every typed secret and keeps placeholders. Yields to the event loop, because a request may contain tens of thousands. */
export async function sealedAsTyped(box: Pick<Box, 'encrypt'>, configuration: Configuration): Promise<Configuration> {
  const { connectionPoolInfo, customProperties } = configuration.packageProperties
  const closed = (value: string) => (value === '' || isPlaceholder(value) ? value : box.encrypt(value))
  const properties: typeof customProperties = []
  for (const item of customProperties) {
    properties.push(item.secret ? { ...item, value: closed(item.value) } : item)
    await yieldToEventLoop()
  }
  return withSecrets(configuration, closed(connectionPoolInfo.password), properties)
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
