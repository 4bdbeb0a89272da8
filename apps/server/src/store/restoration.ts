import { numbered, type StoredForm } from '@cadmus/model/stored/stored-form'
import * as z from 'zod'

const entityRow = z.object({
  path: z.string(),
  content_hash: z.string(),
  latest_version: z.string(),
  manifest_id: z.number(),
  corpus_path: z.string().nullable(),
  hidden: z.number(),
  created_at: z.string(),
})

const manifestRow = z.object({
  path: z.string(),
  content_hash: z.string(),
  /** The stored configuration with encrypted secrets; never sent to callers. */
  configuration_hash: z.string().nullable(),
  latest_version: z.string(),
  corpus_path: z.string().nullable(),
  hidden: z.number(),
  created_at: z.string(),
})

const versionRow = z.object({
  version: z.string(),
  content_hash: z.string(),
  created_at: z.string(),
  created_by: z.string(),
})

const memberKey = z.object({ manifest_id: z.number(), entity_id: z.number() })
const memberRow = memberKey.extend({ entity_organisation_id: z.number(), type: z.string(), position: z.number() })
const subManifestKey = z.object({ manifest_id: z.number(), sub_manifest_id: z.number() })
const subManifestRow = subManifestKey.extend({ sub_organisation_id: z.number(), position: z.number() })

const membershipRow = z.object({ user_id: z.string(), subscription: z.number() })

/**
 * The row changes that restore the state before a change: columns to reset, rows to insert, rows to delete. Contents
 * are referenced by hash. Omits unchanged data, and data derived from a content (names, references) or from a
 * manifest's path.
 */
const restorationSchema = z.object({
  /** null = the entity did not exist. */
  entity: entityRow.partial().nullable().optional(),
  manifest: manifestRow.partial().nullable().optional(),
  /** Placeholders of the secrets that were newly entered with this change. */
  typedSecrets: z.array(z.string()).optional(),
  /** Versions of the entry's entity or manifest. */
  versions: z.object({ put: z.array(versionRow), drop: z.array(z.string()) }).optional(),
  /** The organisation's own scopes of an entity; null = none. */
  ownScopes: z.string().nullable().optional(),
  members: z.object({ put: z.array(memberRow), drop: z.array(memberKey) }).optional(),
  subManifests: z.object({ put: z.array(subManifestRow), drop: z.array(subManifestKey) }).optional(),
  /** null = the organisation did not exist. */
  organisation: z.object({ name: z.string(), licence_limits: z.string() }).nullable().optional(),
  /** The organisation's memberships, by user. */
  memberships: z.object({ put: z.array(membershipRow), drop: z.array(z.string()) }).optional(),
})
export type Restoration = z.infer<typeof restorationSchema>

export const restorationForm: StoredForm<Restoration> = {
  name: 'restoration',
  format: 1,
  schema: restorationSchema,
  unnumbered: 1,
  upgrades: {},
}

/** Serialises only the declared properties, so whole rows may be passed. */
export function writeRestoration(restoration: Restoration): string {
  return JSON.stringify(numbered(restorationForm, restorationSchema.parse(restoration)))
}
