import type { ActionType, ContentKind } from '@cadmus/model/audit-entry'
import type { PackageTables } from './package-tables.ts'

/**
 * The store's tables as rows. Portable between SQLite and PostgreSQL: integer ids from the application, text for JSON, 0 for
 * "none" in keys, 0/1 for booleans, instants as ISO 8601 UTC text. Every table of an organisation's things has
 * `organisation_id` first in its key (0 = the predefined library).
 */
export type Tables = PackageTables & {
  id_block: { name: string; next_id: number }
  organisation: {
    id: number
    code: string
    code_folded: string
    name: string
    /** The beginning of it, as lists are ordered by it and searched. */
    name_folded: string
    licence_limits: string
    created_at: string
    /** Permanent, and like no other's: what the owner of packages is known by. */
    uid: string
    uid_since: string
  }
  user_account: {
    id: string
    subject: string
    issuer: string
    username: string
    fullname: string
    email: string
    avatar: string | null
    is_admin: number
    /** JSON: what the identity provider said last of the user's organisations, or null when memberships count. */
    permissions: string | null
    /** The beginning of the full name, and all by which a user is searched. */
    name_folded: string
    search_folded: string
    /** When the user's onboarding tour began; null: it is still to come. */
    onboarded_at: string | null
    updated_at: string
  }
  /** What administrators of this console say. */
  membership: { user_id: string; organisation_id: number; subscription: number }
  /** The same as the provider's `permissions` of users, by organisation. */
  provider_membership: { user_id: string; organisation_id: number; subscription: number }
  session: {
    id: string
    token_hash: string
    refresh_hash: string
    /** The refresh hash before the last rotation, and the answer it got, for a repeat within ten seconds. */
    previous_refresh_hash: string | null
    rotated_at: string | null
    user_id: string
    is_admin: number
    /** JSON: the permissions that the provider sent, or null when memberships count. */
    permissions: string | null
    provider_tokens: string
    created_at: string
    expires_at: string
    refresh_expires_at: string
    revoked_at: string | null
  }
  /** Tokens of scripts. Looked up before it is known which organisation is meant, so it is no table of one organisation's things. */
  personal_token: {
    id: number
    token_hash: string
    user_id: string
    organisation_id: number
    name: string
    name_folded: string
    access: 'read' | 'read-write'
    /** 1: with the administrator's rights, as long as the user is one. */
    is_admin: number
    created_at: string
    expires_at: string
    last_used_at: string | null
    revoked_at: string | null
  }
  /** Sign-ins that were answered, until nobody could repeat them any more. */
  spent_sign_in: { state_hash: string; expires_at: string }
  /** Instants of leases and jobs are milliseconds since 1970 by the store's clock. */
  lease: { name: string; holder: string; lease_until: number }
  /** Contents by hash, each stored once: what current states, versions and audit entries refer to. */
  content: { organisation_id: number; hash: string; body: string }
  entity: {
    organisation_id: number
    id: number
    uid: string
    name: string
    name_folded: string
    path: string
    folder: string
    type: string
    content_hash: string
    latest_version: string
    /** The manifest that owns it, 0 = none. Names are unique within it. */
    manifest_id: number
    extends_id: number
    /** Where a library or imported entity came from, for matching it again. */
    corpus_path: string | null
    /** Its operation scopes as JSON, so that lists need not read contents; '' = none. */
    scopes: string
    /** 1 while every reference of it resolves. */
    resolved: number
    /** Rows of a running import are not read by anything: 0 = visible. */
    import_id: number
    /** 1 for library entities that vanished from the library while something refers to them. */
    hidden: number
    created_at: string
    updated_at: string
    updated_by: string
  }
  entity_version: {
    organisation_id: number
    entity_id: number
    version: string
    content_hash: string
    created_at: string
    created_by: string
  }
  /** Which entity refers to which, by extending it (attribute_uid '') or by a relationship (its uid). */
  entity_reference: {
    organisation_id: number
    from_id: number
    attribute_uid: string
    to_id: number
    /** Of a relationship to its first target: names of both ends' columns and the place in the entity's list; else ''. */
    foreign_key: string
    target: string
    place: number
  }
  /** What every attribute and foreign key of an entity is called today, by uid. */
  entity_column: { organisation_id: number; uid: string; entity_id: number; name: string }
  /** Every name that attributes and foreign keys have, or had, once; of those that an index takes. */
  attribute_name: { organisation_id: number; name: string; name_folded: string }
  /** What a reference of `from_id` waits for: the entity of that uid, or where that is '' the one at that path. */
  open_reference: { organisation_id: number; from_id: number; uid: string; path: string }
  /** An organisation's own operation scopes beside a predefined entity. JSON. */
  entity_scopes: { organisation_id: number; entity_id: number; scopes: string }
  manifest: {
    organisation_id: number
    id: number
    uid: string
    name: string
    name_folded: string
    path: string
    folder: string
    content_hash: string
    configuration_hash: string | null
    latest_version: string
    entity_count: number
    sub_manifest_count: number
    /** Raised by every change below it: an update of this row is also the lock that writers of its names take. */
    revision: number
    corpus_path: string | null
    import_id: number
    hidden: number
    created_at: string
    updated_at: string
    updated_by: string
  }
  /** The members in their order; the entity lives in `entity_organisation_id` (0 = library). */
  manifest_member: {
    organisation_id: number
    manifest_id: number
    entity_id: number
    entity_organisation_id: number
    type: string
    position: number
  }
  manifest_sub_manifest: {
    organisation_id: number
    manifest_id: number
    sub_manifest_id: number
    sub_organisation_id: number
    position: number
  }
  manifest_version: {
    organisation_id: number
    manifest_id: number
    version: string
    /** Hash of the frozen snapshot: id lists and the content hash of every input of an export. */
    content_hash: string
    created_at: string
    created_by: string
  }
  audit_entry: {
    organisation_id: number
    id: number
    at: string
    /** What the entry is of; 'ORGANISATION': its own name, licence or members. */
    kind: 'ENTITY' | 'MANIFEST' | 'ORGANISATION'
    target_id: number
    action_type: ActionType
    user_id: string
    user_name: string
    user_name_folded: string
    user_email: string
    name: string
    path: string
    description: string
    original_hash: string | null
    updated_hash: string | null
    import_id: number
    /** One per change: entries of one change share it. */
    change_id: number
    /** The order of commits within the organisation: clocks of servers differ and may be set back. */
    sequence: number
    /** The version that the entry tells of; '' where older entries did not say. */
    version: string
    content_kind: ContentKind
    /** Under which its caller knows the save that made it; null where it was given none. Never answered. */
    save_id: string | null
    /** What was sent for it, told by a keyed digest; null where the save has no id, and in entries of older stores. Never answered. */
    save_mark: string | null
    /** JSON: what of the rows was otherwise before (`restoration.ts`); null in entries of older stores. Never answered. */
    restoration: string | null
  }
  /** The last number that `audit_entry.sequence` used. */
  audit_sequence: { organisation_id: number; last: number }
  /** Ids of saves that were asked about when they had stored nothing: they will store nothing. */
  spent_save: { organisation_id: number; save_id: string; spent_at: number }
  /**
   * All that takes longer than a request. Read across organisations by those who run and clean up, so it is no table of one
   * organisation's things: what answers a caller asks by organisation, kind and key.
   */
  job: {
    id: number
    organisation_id: number
    kind: 'import' | 'insert' | 'delete' | 'library' | 'sweep' | 'build'
    /** Chosen by the caller, or the id. */
    job_key: string
    state: 'waiting' | 'running' | 'stopping' | 'done' | 'failed' | 'cancelled'
    user_id: string
    /** The server process, or the request, that holds it; whoever it is, until then. '' for a build that waits: any server takes it. */
    holder: string
    lease_until: number
    attempts: number
    /** JSON, '' before there is any; at the end how it ended. */
    progress: string
    cancel_requested: number
    /** The order in which jobs came, whatever the clocks said. */
    sequence: number
    created_at: number
    /** 0 until it is over. */
    ended_at: number
  }
  /** Contents that may be removed: of an import that is not published, or (0) found to be referred to by nothing. */
  loose_content: { organisation_id: number; hash: string; import_id: number; noted_at: number }
  /** The lines of an import's report in pages: compressed JSON as Base64. */
  import_report: { organisation_id: number; job_id: number; page: number; body: string }
  /** Manifests whose entities nobody sees: the job is removing them. */
  unseen_manifest: { organisation_id: number; manifest_id: number; job_id: number }
  library_state: { name: string; value: string }
  /** What is counted as sums of changes: visible entities by folder ('' = all), audit entries by kind. */
  tally: {
    organisation_id: number
    name: 'entities' | 'ENTITY' | 'MANIFEST' | 'ORGANISATION'
    folder: string
    uid: string
    amount: number
  }
}

/** Tables whose rows belong to one organisation: every query on them must say which. */
export const organisationTables = [
  'content',
  'entity',
  'entity_version',
  'entity_reference',
  'entity_column',
  'attribute_name',
  'open_reference',
  'entity_scopes',
  'manifest',
  'manifest_member',
  'manifest_sub_manifest',
  'manifest_version',
  'audit_entry',
  'audit_sequence',
  'spent_save',
  'tally',
  'loose_content',
  'import_report',
  'unseen_manifest',
  'package',
  'package_version',
] as const satisfies readonly (keyof Tables)[]
