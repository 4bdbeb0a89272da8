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
  /** The sealed one: secrets stay encrypted, and are never answered. */
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
 * What makes the state before a change from that after it, row by row: columns and rows that go back, rows that were not there.
 * Contents are named by hash. What is not said here did not change; what follows from a content (names, references), or from the path
 * of a manifest (those of the entities that it owns), is not said.
 */
export const restorationSchema = z.object({
  /** null = there was no such entity. */
  entity: entityRow.partial().nullable().optional(),
  manifest: manifestRow.partial().nullable().optional(),
  /** Beside the configuration that goes back: what stands for the secrets that were typed for this change, and closed by it. */
  typedSecrets: z.array(z.string()).optional(),
  /** Of the entity or manifest that the entry tells of. */
  versions: z.object({ put: z.array(versionRow), drop: z.array(z.string()) }).optional(),
  /** An organisation's own scopes of an entity; null = none. */
  ownScopes: z.string().nullable().optional(),
  members: z.object({ put: z.array(memberRow), drop: z.array(memberKey) }).optional(),
  subManifests: z.object({ put: z.array(subManifestRow), drop: z.array(subManifestKey) }).optional(),
  /** null = there was no such organisation. */
  organisation: z.object({ name: z.string(), licence_limits: z.string() }).nullable().optional(),
  /** Of the organisation, by user. */
  memberships: z.object({ put: z.array(membershipRow), drop: z.array(z.string()) }).optional(),
})
export type Restoration = z.infer<typeof restorationSchema>

/** As text, with nothing but what the shape above names: rows may be handed in whole. */
export function writeRestoration(restoration: Restoration): string {
  return JSON.stringify(restorationSchema.parse(restoration))
}
