import * as z from 'zod'
import { configurationSchema, configurationChangeSchema } from '../configuration.ts'
import { limits } from '../limits.ts'
import { packageFilters, packageStates, publishKinds, uploadStates } from '../package.ts'
import { lossDigestText } from '../schema-step.ts'
import { codeParams } from './admin-organisation.ts'
import { callsFor, defineCall } from './call.ts'
import { credentialFields, instanceUrlSchema } from './instance.ts'
import { manifestCall } from './lists.ts'
import { base } from './routes.ts'
import { idParams, listAnswer, pageQuery, resultAnswer, userIdQuery, versionQuery } from './shared.ts'

const packageTag = 'Packages'
const packageCall = callsFor({ tag: packageTag, access: 'user' })

const versionText = z.string().max(limits.version.max)

/** A version of a package, built or not. */
const packageBuild = z.object({
  version: z.string(),
  status: z.enum(packageStates),
  /** Reason of a failure; '' otherwise. */
  reason: z.string(),
  publishAs: z.enum(publishKinds),
  /** The manifest's version at the time of the build. */
  manifestVersion: z.string(),
  /** Size of the zip in bytes; 0 until it is built. */
  size: z.number().int(),
  /** User and time (ISO 8601, UTC) of the build request. */
  userName: z.string(),
  askedAt: z.string(),
  /** '' while the build runs. */
  endedAt: z.string(),
})
export type PackageBuild = z.output<typeof packageBuild>

export const packageItem = z.object({
  id: z.number().int(),
  /** User of the last build. */
  userId: z.string(),
  guid: z.string(),
  /** The package's own name: the folder in its zip, and its name on an instance. */
  name: z.string(),
  /** -1: the manifest was deleted. */
  manifestId: z.number().int(),
  manifestName: z.string(),
  manifestPath: z.string(),
  /** Whether it is built from a predefined manifest. */
  isDefault: z.boolean(),
  /** Status of the last requested build; PROCESSING while any build runs. */
  status: z.enum(packageStates),
  /** Versions available for download and upload, highest first. */
  versions: z.array(z.string()),
  /** Highest version first. */
  builds: z.array(packageBuild),
})
export type PackageItem = z.output<typeof packageItem>

const whatIsBuilt = {
  publishAs: z.enum(publishKinds).default('PACKAGE'),
  /** '': the manifest's name. */
  customPackageName: z.string().max(200).default(''),
  /**
   * One per manifest, matched by name; missing ones default to the stored configuration. Not stored. Absent fields have
   * their defaults; a stored secret property without `secret` stays secret, and without `value` keeps it.
   */
  manifestProperties: z.array(configurationChangeSchema).max(1000).default([]),
  /** Version of the manifest to build; absent: the latest. */
  manifestVersion: versionText.optional(),
}

/** The next major version and the breaking changes since the last build; null if there are none. */
export const suggestion = z.object({ version: z.string(), reasons: z.array(z.string()) }).nullable()

export const buildManifest = manifestCall({
  id: 'buildManifest',
  method: 'POST',
  path: `${base}/manifest/{id}/build`,
  summary:
    'Starts building a package from a manifest and its sub-manifests and returns immediately; the package is PROCESSING until the build ends. 400 with all problems if one of them is an error.',
  params: idParams,
  query: userIdQuery,
  body: z.strictObject({
    ...whatIsBuilt,
    /** Version of the package; absent: the next patch of the latest, or 1.0.0. */
    version: versionText.optional(),
    customBuild: z.literal(true).default(true),
  }),
  answer: resultAnswer.extend({ packageId: z.number().int(), packageName: z.string(), version: z.string() }),
})

export const getBuildSettings = manifestCall({
  id: 'getBuildSettings',
  method: 'GET',
  path: `${base}/manifest/{id}/build`,
  summary: 'Default settings of a build of a manifest, and the proposed version.',
  params: idParams,
  query: z.object({
    /** '': the manifest's name. */
    packageName: z.string().max(200).default(''),
    manifestVersion: versionText.optional(),
  }),
  answer: resultAnswer.extend({
    packageName: z.string(),
    /** The proposed version. */
    version: z.string(),
    /** Versions built or being built, highest first; none of them can be built again. */
    takenVersions: z.array(z.string()),
    suggestion: suggestion.default(null),
    /** The manifest's own configuration, then those of its sub-manifests, without secrets. */
    manifestProperties: z.array(configurationSchema),
  }),
})

export const compareBuild = manifestCall({
  id: 'compareBuild',
  method: 'POST',
  path: `${base}/manifest/{id}/compare-build`,
  reads: true,
  summary:
    'Compares a build with the last one of its package and lists changes that break API clients. Builds nothing.',
  params: idParams,
  body: z.strictObject(whatIsBuilt),
  answer: resultAnswer.extend({ /** The next patch. */ version: z.string(), suggestion }),
})

const packageListQuery = pageQuery().extend({
  /** Absent: both. */
  filter: z.enum(packageFilters).optional(),
})

export const listPackages = packageCall({
  id: 'listPackages',
  method: 'GET',
  path: `${base}/packages`,
  summary: 'Lists the packages of the organisation by name.',
  query: packageListQuery.extend({
    manifestId: z.coerce.number().int().positive().optional(),
    /** The whole name, case-insensitive. */
    manifestName: z.string().max(400).optional(),
  }),
  answer: listAnswer('packages', packageItem),
})

export const getPackageStatus = packageCall({
  id: 'getPackageStatus',
  method: 'GET',
  path: `${base}/packages/status`,
  summary: 'Build status of packages; unknown ids are omitted.',
  query: z.object({
    /** Comma-separated ids. */
    packageIds: z
      .string()
      .regex(/^\d{1,15}(,\d{1,15}){0,199}$/)
      .transform(text => text.split(',').map(Number)),
  }),
  answer: resultAnswer.extend({
    packages: z.array(
      packageItem.pick({ id: true, status: true }).extend({
        /** Reason of the last failure; '' otherwise. */
        reason: z.string(),
      }),
    ),
  }),
})

export const downloadPackage = packageCall({
  id: 'downloadPackage',
  method: 'GET',
  path: `${base}/packages/{id}/download`,
  summary:
    'The zip of a version. With includePassword it contains the connection password and secret properties, which is recorded in the audit log and not allowed with a read-only token; otherwise placeholders.',
  params: idParams,
  query: versionQuery.extend({ includePassword: z.enum(['true', 'false']).default('false') }),
  answer: 'binary',
  mediaTypes: ['application/zip'],
})

export const deletePackage = packageCall({
  id: 'deletePackage',
  method: 'DELETE',
  path: `${base}/packages/{id}`,
  summary: 'Deletes a version of a package; deleting the last one deletes the package.',
  params: idParams,
  query: versionQuery,
  answer: resultAnswer,
})

export const uploadPackage = packageCall({
  id: 'uploadPackage',
  method: 'POST',
  path: `${base}/packages/{name}/upload`,
  summary:
    'Uploads a version of a package, with its password, to an instance and waits until it reaches the requested state. A hosted instance needs no credentials; credentials are not stored.',
  params: z.object({ name: z.string().max(200) }),
  body: z.strictObject({
    instanceUrl: instanceUrlSchema,
    version: versionText,
    state: z.enum(uploadStates).default('LOADED'),
    /**
     * Accepts the loss of data that the new version has no column for. Otherwise such an upload is 409 `instance_loses_data` with the
     * steps, and changes nothing.
     */
    allowDataLoss: z.boolean().default(false),
    /** Digest of the accepted steps. If others would lose data by now, the upload is refused in the same way. */
    lossDigest: lossDigestText.optional(),
    ...credentialFields,
  }),
  answer: z.object({
    result: z.literal('Ok'),
    /** Includes all warnings. */
    message: z.string(),
    status: z.enum(uploadStates),
    /**
     * Warnings of the instance about the location of its data and about obstacles to starting the package; absent if
     * there are none.
     */
    warnings: z.array(z.string()).optional(),
  }),
})

export const previewUpload = packageCall({
  id: 'previewUpload',
  method: 'POST',
  path: `${base}/packages/{name}/preview`,
  summary: 'Returns the warnings that uploading a version to an instance would cause, without changing anything there.',
  params: z.object({ name: z.string().max(200) }),
  body: z.strictObject({ instanceUrl: instanceUrlSchema, version: versionText, ...credentialFields }),
  answer: z.object({
    result: z.literal('Ok'),
    /** Those of `uploadPackage`; null if the instance does not support previews. */
    warnings: z.array(z.string()).nullable(),
  }),
})

export const adminListPackages = defineCall({
  id: 'adminListPackages',
  method: 'GET',
  path: `${base}/admin/org/{code}/packages`,
  tag: packageTag,
  access: 'console',
  summary: 'Lists the packages of an organisation, for administrators.',
  params: codeParams,
  query: packageListQuery,
  answer: listAnswer('packages', packageItem),
})
