import { isPlaceholder, secretPlaceholder, type Configuration } from '@cadmus/model/configuration'
import { restorationsOf } from '../../store/audit-of-target.ts'
import type { Db } from '../../store/database.ts'
import { configurationAsStored, placeholderFor } from '../../store/manifest-configuration.ts'
import type { ManifestRow } from '../../store/manifest.ts'
import { yieldToEventLoop } from '../../event-loop.ts'

/** The referenced secret in encrypted form; undefined if missing. Passwords and properties are never mixed. */
export type StoredSecrets = {
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
