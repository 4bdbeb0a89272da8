import type { PackageState, PublishKind } from '@cadmus/model/package'

export type PackageTables = {
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
}
