import { readConfiguration, type Configuration } from '@cadmus/model/configuration'
import { mayConfigureManifest } from '@cadmus/model/locks'
import { mergeRecords, type Conflict } from '@cadmus/model/merge-fields'
import { messages } from '@cadmus/model/messages'
import * as z from 'zod'
import { conflict, invalidInput } from '../../errors/api-error.ts'
import type { Tx } from '../../store/database.ts'
import { setManifestConfiguration, type ManifestRow } from '../../store/manifest.ts'
import {
  configurationByHash,
  configurationOf,
  putConfiguration,
  putShownConfiguration,
} from '../../store/manifest-configuration.ts'
import { transact, type Change } from '../change.ts'
import { auditUpdate } from './audit.ts'
import { checkConfiguration, checkRemovedScopes } from './configuration-rules.ts'
import { sealed, type Box } from './configuration-secrets.ts'
import { lockedManifest } from './may.ts'

type Save = {
  manifestId: number
  /** As it came: nothing of it was checked yet. */
  given: unknown
  /** The tag of the state that it is based on; `*` overwrites. */
  base: string
  /** The organisation's licence limits. */
  licence: string
}

/** Saves the configuration, merged by field with what was saved meanwhile. Answers its new tag. */
export async function saveConfiguration(change: Change, secrets: Box, save: Save): Promise<string> {
  const { organisationId, actor } = change
  const wanted = checked(save.given)
  return transact(change, 1, async (tx, ids) => {
    const manifest = await lockedManifest(tx, organisationId, save.manifestId, mayConfigureManifest)
    const { configuration: before } = await configurationOf(tx, manifest)
    const after = await merged(tx, { manifest, wanted, base: save.base, before, secrets })
    await checkRemovedScopes(tx, manifest, { before, after })
    checkConfiguration(after, save.licence, before)
    const hash = await putConfiguration(tx, organisationId, after)
    await setManifestConfiguration(tx, organisationId, manifest.id, hash, actor)
    const description = `Changed the configuration of the manifest "${manifest.name}".`
    const changed = {
      before: await putShownConfiguration(tx, organisationId, manifest, before),
      after: await putShownConfiguration(tx, organisationId, manifest, after),
    }
    await auditUpdate(tx, change, ids, { manifest, changed, description })
    return hash
  })
}

/** The configuration that a body means; 400 that says where it is none. */
export function checked(given: unknown): Configuration {
  try {
    return readConfiguration(given)
  } catch (error) {
    if (error instanceof z.ZodError) throw invalidInput(error)
    throw error
  }
}

type Sides = {
  manifest: ManifestRow
  wanted: Configuration
  base: string
  before: Configuration
  secrets: Box
}

async function merged(tx: Tx, { manifest, wanted, base, before, secrets }: Sides): Promise<Configuration> {
  const named = { ...wanted, manifestName: manifest.name }
  const { hash } = await configurationOf(tx, manifest)
  if (base === '*' || base === hash) return sealed(secrets, named, before)
  const origin = await configurationByHash(tx, manifest, base)
  if (origin === undefined) throw conflict(messages.staleSave)
  const merge = mergeRecords(origin, sealed(secrets, named, origin), before)
  if (merge.conflicts === undefined) return merge.merged
  const when = manifest.updated_at
  const conflicts = merge.conflicts.map(found => ({ ...shown(found), who: manifest.updated_by, when }))
  throw conflict(messages.staleSave, conflicts)
}

/** No secret leaves the server, not even one that two people changed. */
function shown(found: Conflict): Conflict {
  if (found.field !== 'password' && found.field !== 'customProperties') return found
  return { ...found, base: null, mine: null, theirs: null }
}
