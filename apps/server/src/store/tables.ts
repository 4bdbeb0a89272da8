import type { ActionType, ContentKind } from '@cadmus/model/audit-differences'
import type { DiagramDetail } from '@cadmus/model/diagram/view'
import type { PackageState, PublishKind, UploadState } from '@cadmus/model/package'

/**
 * Row types of the store's tables. Portable between SQLite and PostgreSQL: integer ids assigned by the application,
 * text for JSON, 0 for "none" in keys, 0/1 for booleans, times as ISO 8601 UTC text. The key of every organisation's
 * table starts with `organisation_id` (0 = the predefined library).
 */
export type Tables = {
  id_block: { name: string; next_id: number }
  organisation: {
    id: number
    code: string
    code_folded: string
    name: string
    /** Truncated; for sorting and searching. */
    name_folded: string
    licence_limits: string
    created_at: string
    /** Permanent and globally unique; identifies the owner of packages. */
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
    /** JSON: the provider's last permissions, or null if memberships apply. */
    permissions: string | null
    /** The truncated full name, and the searchable text. */
    name_folded: string
    search_folded: string
    /** Start of the onboarding tour; null = pending. */
    onboarded_at: string | null
    updated_at: string
  }
  /** Memberships managed by administrators of this console. */
  membership: { user_id: string; organisation_id: number; subscription: number }
  /** The provider's permissions of users, by organisation. */
  provider_membership: { user_id: string; organisation_id: number; subscription: number }
  session: {
    id: string
    token_hash: string
    refresh_hash: string
    /** The refresh hash before the last rotation, for repeats within ten seconds. */
    previous_refresh_hash: string | null
    rotated_at: string | null
    user_id: string
    is_admin: number
    /** JSON: the provider's permissions, or null if memberships apply. */
    permissions: string | null
    provider_tokens: string
    created_at: string
    expires_at: string
    refresh_expires_at: string
    revoked_at: string | null
  }
  /** Access tokens. Looked up before the organisation is known, so not an organisation's table. */
  personal_token: {
    id: number
    token_hash: string
    user_id: string
    organisation_id: number
    name: string
    name_folded: string
    access: 'read' | 'read-write'
    /** 1: with administrator permission, as long as the user has it. */
    is_admin: number
    created_at: string
    expires_at: string
    last_used_at: string | null
    revoked_at: string | null
  }
  /** Completed sign-ins, kept until they can no longer be repeated. */
  spent_sign_in: { state_hash: string; expires_at: string }
  /** Times of leases and jobs are in milliseconds since 1970 by the database clock. */
  lease: { name: string; holder: string; lease_until: number }
  /** Contents by hash, each stored once, referenced by current states, versions and audit entries. */
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
    /** The owning manifest, 0 = none. Names are unique within it. */
    manifest_id: number
    extends_id: number
    /** The origin of a library or imported entity, for matching it again. */
    corpus_path: string | null
    /** Operation scopes as JSON, so that lists need not read contents; '' = none. */
    scopes: string
    /** 1 if all references are resolved. */
    resolved: number
    /** The running import that hides the row; 0 = visible. */
    import_id: number
    /** 1 for entities that left the library but are still referenced. */
    hidden: number
    /** Rows of its card in a diagram, and those with keys and foreign keys, which come first. */
    card_rows: number
    card_key_rows: number
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
  /** References between entities, by inheritance (attribute_uid '') or a relationship (its uid). */
  entity_reference: {
    organisation_id: number
    from_id: number
    attribute_uid: string
    to_id: number
    /** For the first target of a relationship: both column names, and the position in the entity's list; else ''. */
    foreign_key: string
    target: string
    place: number
    /** Of a relationship: row of the foreign key on the entity's card, and bits of `linkEndBits`. */
    card_row: number
    link_ends: number
  }
  /** The current names of attributes and foreign keys, by uid. */
  entity_column: { organisation_id: number; uid: string; entity_id: number; name: string }
  /** Distinct current and former names of attributes and foreign keys, up to the index limit. */
  attribute_name: { organisation_id: number; name: string; name_folded: string }
  /**
   * Descriptions, choices and scopes of a document, in parts, with their words for the index (`search-text.ts`). SQLite's
   * table has an id for it.
   */
  search_text: {
    organisation_id: number
    /** 'configuration': `document_id` is the manifest's. 'entity' of another organisation: own scopes of a predefined one. */
    document_kind: 'entity' | 'manifest' | 'configuration'
    document_id: number
    part: number
    /** JSON. */
    texts: string
    words: string
  }
  /**
   * The missing target of a reference from `from_id`: the entity with this uid, or if that is '', the one at this path.
   */
  open_reference: { organisation_id: number; from_id: number; uid: string; path: string }
  /** The organisation's own operation scopes of a predefined entity, as JSON. */
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
    /** Incremented by every change within the manifest; the update also locks the row. */
    revision: number
    corpus_path: string | null
    import_id: number
    hidden: number
    created_at: string
    updated_at: string
    updated_by: string
  }
  /** Members by position; `entity_organisation_id` is the entity's organisation (0 = library). */
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
    /** Hash of the snapshot: ids and content hashes of all inputs of an export. */
    content_hash: string
    created_at: string
    created_by: string
  }
  audit_entry: {
    organisation_id: number
    id: number
    at: string
    /** The kind of the target; 'ORGANISATION': its name, licence or members. */
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
    /** Shared by all entries of a change. */
    change_id: number
    /** The commit order within the organisation: server clocks differ and may be set back. */
    sequence: number
    /** The version of the entry; '' in entries of older stores. */
    version: string
    content_kind: ContentKind
    /** The operation id of the save; null if none was sent. Never sent to callers. */
    save_id: string | null
    /**
     * A keyed digest of the request; null without operation id and in entries of older stores. Never sent to callers.
     */
    save_mark: string | null
    /**
     * JSON: the previous values of the changed rows (`restoration.ts`); null in entries of older stores. Never sent to
     * callers.
     */
    restoration: string | null
    /** JSON: the edits from the content before to the one after, merged; null without edits, if too large, and in older stores. */
    edits: string | null
    edit_format: number | null
    /** JSON: cause of a change that was not typed (`edit-log.ts`). */
    cause: string | null
    /** 1: the change followed from the change of another document. */
    follows: number
  }
  /** The last assigned `audit_entry.sequence`. */
  audit_sequence: { organisation_id: number; last: number }
  /** Operation ids of cancelled saves, under which nothing is stored from then on. */
  spent_save: { organisation_id: number; save_id: string; spent_at: number }
  /**
   * Work that outlasts a request. Read across organisations to run and clean up jobs, so not an organisation's table;
   * answers to callers select by organisation, kind and key.
   */
  job: {
    id: number
    organisation_id: number
    kind: 'import' | 'insert' | 'delete' | 'library' | 'sweep' | 'build'
    /** Chosen by the caller, or the id. */
    job_key: string
    state: 'waiting' | 'running' | 'stopping' | 'done' | 'failed' | 'cancelled'
    user_id: string
    /**
     * The server process or request that holds the job until the lease ends. '' for a waiting build, which any server
     * may take.
     */
    holder: string
    lease_until: number
    attempts: number
    /** JSON, '' at first; the result at the end. */
    progress: string
    cancel_requested: number
    /** The order of creation, independent of clocks. */
    sequence: number
    created_at: number
    /** 0 until the job has ended. */
    ended_at: number
  }
  /** Contents that may be removed: those of an unpublished import, and unreferenced ones (`import_id` 0). */
  loose_content: { organisation_id: number; hash: string; import_id: number; noted_at: number }
  /** The pages of import reports: compressed JSON as Base64. */
  import_report: { organisation_id: number; job_id: number; page: number; body: string }
  /** An upload under review. `body`: as Base64, all but uploads compressed; `size`: characters of it. */
  import_review: {
    organisation_id: number
    job_id: number
    part: 'head' | 'upload' | 'entities' | 'enumerations' | 'findings'
    page: number
    size: number
    body: string
  }
  /** Manifests whose entities are being deleted by a job and are invisible. */
  unseen_manifest: { organisation_id: number; manifest_id: number; job_id: number }
  library_state: { name: string; value: string }
  /** Counters as sums of changes: visible entities by folder ('' = all), audit entries by kind. */
  tally: {
    organisation_id: number
    name: 'entities' | 'ENTITY' | 'MANIFEST' | 'ORGANISATION'
    folder: string
    uid: string
    amount: number
  }
  /** A package built from a manifest. The properties of the manifest are from the last build. */
  package: {
    organisation_id: number
    id: number
    guid: string
    name: string
    name_folded: string
    manifest_id: number
    manifest_name: string
    manifest_name_folded: string
    manifest_path: string
    is_default: number
    /** The user who requested the last build. */
    user_id: string
    created_at: string
  }
  package_version: {
    organisation_id: number
    package_id: number
    version: string
    /** The job of the build. */
    job_id: number
    status: PackageState
    /** The reason of a failure; '' otherwise. */
    reason: string
    publish_as: PublishKind
    manifest_id: number
    /** The manifest's version at the time of the build. */
    manifest_version: string
    /** JSON: the configurations used, with encrypted secrets. Never sent to callers. */
    settings: string
    /** The zip as Base64; null until built. */
    content_hash: string | null
    /** Size of the zip in bytes. */
    size: number
    user_id: string
    user_name: string
    user_email: string
    asked_at: string
    /** '' until the build has ended. */
    ended_at: string
  }
  /** The last upload of a package to an instance. */
  publication: {
    organisation_id: number
    id: number
    package_id: number
    version: string
    instance_url: string
    /** 1: with credentials of the request, which are not stored. */
    signed_in: number
    state: UploadState
    user_id: string
    user_name: string
    published_at: string
  }
  /** A view of a manifest's diagram; `user_id` '': shared. */
  diagram_view: {
    organisation_id: number
    uid: string
    manifest_id: number
    user_id: string
    name: string
    name_folded: string
    detail: DiagramDetail
    revision: number
  }
  /** A card's placement, with the last change: the view's revision, user and time. x and y are null: not placed. */
  diagram_placement: {
    organisation_id: number
    view_uid: string
    entity_uid: string
    x: number | null
    y: number | null
    hidden: number
    revision: number
    user_id: string
    user_name: string
    at: string
  }
  /** A recent change of a view, by the id that its caller chose; `refused`: JSON of the entities' uids. */
  diagram_operation: {
    organisation_id: number
    operation_id: string
    view_uid: string
    user_id: string
    digest: string
    refused: string
    at: number
  }
}

/** Tables whose rows belong to one organisation; every query on them must name it. */
export const organisationTables = [
  'content',
  'entity',
  'entity_version',
  'entity_reference',
  'entity_column',
  'attribute_name',
  'search_text',
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
  'import_review',
  'unseen_manifest',
  'package',
  'package_version',
  'publication',
  'diagram_view',
  'diagram_placement',
  'diagram_operation',
] as const satisfies readonly (keyof Tables)[]
