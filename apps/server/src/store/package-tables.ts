import type { PackageState, PublishKind } from '@cadmus/model/package'

/** What is built; two of the store's tables. */
export type PackageTables = {
  /** What is built of a manifest under one name. What is said of the manifest is as of the last build. */
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
    /** Who asked for its last build. */
    user_id: string
    created_at: string
  }
  package_version: {
    organisation_id: number
    package_id: number
    version: string
    /** The build that it is made by, or was. */
    job_id: number
    status: PackageState
    /** Why it failed; '' otherwise. */
    reason: string
    publish_as: PublishKind
    manifest_id: number
    /** Which version of it: also where that was the latest one and is frozen by now. */
    manifest_version: string
    /** JSON: the configurations that it is built by, with their secrets sealed. Never answered. */
    settings: string
    /** The zip, as Base64; null until it is built. */
    content_hash: string | null
    /** Of the zip, in bytes. */
    size: number
    user_id: string
    user_name: string
    user_email: string
    asked_at: string
    /** '' until it is over. */
    ended_at: string
  }
}
