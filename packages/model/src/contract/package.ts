import * as z from 'zod'
import { configurationSchema, givenConfigurationSchema } from '../configuration.ts'
import { limits } from '../limits.ts'
import { packageFilters, packageStates, publishKinds, uploadStates } from '../package.ts'
import { lossDigestText } from '../schema-step.ts'
import { codeParams } from './admin-organisation.ts'
import { defineCall } from './call.ts'
import { credentialFields, instanceUrlSchema } from './instance.ts'
import { manifestTag } from './lists.ts'
import { base } from './routes.ts'
import { idParams, listAnswer, pageQuery, resultAnswer, userIdQuery, versionQuery } from './shared.ts'

export const packageTag = 'Packages'

const versionText = z.string().max(limits.version.max)

/** One version of a package, built or not. */
const packageBuild = z.object({
  version: z.string(),
  status: z.enum(packageStates),
  /** Why it failed; '' otherwise. */
  reason: z.string(),
  publishAs: z.enum(publishKinds),
  /** Of the manifest as it was then. */
  manifestVersion: z.string(),
  /** Of the zip, in bytes; 0 until it is built. */
  size: z.number().int(),
  /** Who asked for it, and when: ISO 8601, UTC. */
  userName: z.string(),
  askedAt: z.string(),
  /** '' until it is over. */
  endedAt: z.string(),
})
export type PackageBuild = z.output<typeof packageBuild>

export const packageItem = z.object({
  id: z.number().int(),
  /** Who built it last. */
  userId: z.string(),
  guid: z.string(),
  /** The package's own name: the folder in its zip, and what an instance knows it by. */
  name: z.string(),
  /** -1: the manifest is not there any more. */
  manifestId: z.number().int(),
  manifestName: z.string(),
  manifestPath: z.string(),
  /** Whether it is built from a predefined manifest. */
  isDefault: z.boolean(),
  /** Of the build that was asked for last; PROCESSING as long as any is under way. */
  status: z.enum(packageStates),
  /** What can be downloaded and uploaded, the highest first. */
  versions: z.array(z.string()),
  /** Every build, the highest version first. */
  builds: z.array(packageBuild),
})
export type PackageItem = z.output<typeof packageItem>

const whatIsBuilt = {
  publishAs: z.enum(publishKinds).default('PACKAGE'),
  /** '': the manifest's. */
  customPackageName: z.string().max(200).default(''),
  /** One a manifest, found by its name; what is not there goes by its stored configuration. Nothing of it is stored there. */
  manifestProperties: z.array(givenConfigurationSchema).max(1000).default([]),
  /** Which version of the manifest is built; absent: the latest. */
  manifestVersion: versionText.optional(),
}

/** Where callers of what was built last could not go on as they do: the next major version, and what breaks. Null where nothing does. */
const suggestion = z.object({ version: z.string(), reasons: z.array(z.string()) }).nullable()

export const buildManifest = defineCall({
  id: 'buildManifest',
  method: 'POST',
  path: `${base}/manifest/{id}/build`,
  tag: manifestTag,
  access: 'user',
  summary:
    'Builds a manifest with its sub-manifests into a package: answers at once, and the package is PROCESSING until that is over. 400 with all problems where one of the manifest is an error.',
  params: idParams,
  query: userIdQuery,
  body: z.strictObject({
    ...whatIsBuilt,
    /** Of the package; absent: the next patch of the latest, 1.0.0 where there is none. */
    version: versionText.optional(),
    customBuild: z.literal(true).default(true),
  }),
  answer: resultAnswer.extend({ packageId: z.number().int(), packageName: z.string(), version: z.string() }),
})

export const getBuildSettings = defineCall({
  id: 'getBuildSettings',
  method: 'GET',
  path: `${base}/manifest/{id}/build`,
  tag: manifestTag,
  access: 'user',
  summary: 'What a build of a manifest would use where nothing else is sent, and which version it would make.',
  params: idParams,
  query: z.object({
    /** '': the manifest's. */
    packageName: z.string().max(200).default(''),
    manifestVersion: versionText.optional(),
  }),
  answer: resultAnswer.extend({
    packageName: z.string(),
    /** The proposed one. */
    version: z.string(),
    /** Those that are built, or are being built: none of them is built again. The highest first. */
    takenVersions: z.array(z.string()),
    suggestion: suggestion.default(null),
    /** The manifest's own configuration first, then those of its sub-manifests, without secrets. */
    manifestProperties: z.array(configurationSchema),
  }),
})

export const compareBuild = defineCall({
  id: 'compareBuild',
  method: 'POST',
  path: `${base}/manifest/{id}/compare-build`,
  tag: manifestTag,
  access: 'user',
  reads: true,
  summary: 'What a build would change for callers of the last one of its package. Builds nothing.',
  params: idParams,
  body: z.strictObject(whatIsBuilt),
  answer: resultAnswer.extend({ /** The next patch. */ version: z.string(), suggestion }),
})

const packageListQuery = pageQuery().extend({
  /** Absent: both. */
  filter: z.enum(packageFilters).optional(),
})

export const listPackages = defineCall({
  id: 'listPackages',
  method: 'GET',
  path: `${base}/packages`,
  tag: packageTag,
  access: 'user',
  summary: 'The packages that an organisation built, by name.',
  query: packageListQuery.extend({
    manifestId: z.coerce.number().int().positive().optional(),
    /** The whole name, whatever its case. */
    manifestName: z.string().max(400).optional(),
  }),
  answer: listAnswer('packages', packageItem),
})

export const getPackageStatus = defineCall({
  id: 'getPackageStatus',
  method: 'GET',
  path: `${base}/packages/status`,
  tag: packageTag,
  access: 'user',
  summary: 'How far the builds of packages are; what is not there is left out.',
  query: z.object({
    /** Numbers with commas between them. */
    packageIds: z
      .string()
      .regex(/^\d{1,15}(,\d{1,15}){0,199}$/)
      .transform(text => text.split(',').map(Number)),
  }),
  answer: resultAnswer.extend({
    packages: z.array(
      packageItem.pick({ id: true, status: true }).extend({
        /** Why the last build failed; '' where it did not. */
        reason: z.string(),
      }),
    ),
  }),
})

export const downloadPackage = defineCall({
  id: 'downloadPackage',
  method: 'GET',
  path: `${base}/packages/{id}/download`,
  tag: packageTag,
  access: 'user',
  summary:
    'The zip of a version. With includePassword the connection password and secret properties are in it, which the audit log tells, and for which no read-only token is enough; otherwise placeholders are.',
  params: idParams,
  query: versionQuery.extend({ includePassword: z.enum(['true', 'false']).default('false') }),
  answer: 'binary',
  mediaTypes: ['application/zip'],
})

export const deletePackage = defineCall({
  id: 'deletePackage',
  method: 'DELETE',
  path: `${base}/packages/{id}`,
  tag: packageTag,
  access: 'user',
  summary: 'Deletes a version of a package, and with the last one the package.',
  params: idParams,
  query: versionQuery,
  answer: resultAnswer,
})

export const uploadPackage = defineCall({
  id: 'uploadPackage',
  method: 'POST',
  path: `${base}/packages/{name}/upload`,
  tag: packageTag,
  access: 'user',
  summary:
    'Uploads a version of a package, with its password, to an instance and waits until it is there in the wanted state. A hosted instance needs no credentials; those that are sent are kept nowhere.',
  params: z.object({ name: z.string().max(200) }),
  body: z.strictObject({
    instanceUrl: instanceUrlSchema,
    version: versionText,
    state: z.enum(uploadStates).default('LOADED'),
    /** Data that the new version has no place for may be lost; otherwise 409 `instance_loses_data` with the steps, and nothing is changed. */
    allowDataLoss: z.boolean().default(false),
    /** Those of the list that was answered with it; where others would be lost by now, that is refused in the same way. */
    lossDigest: lossDigestText.optional(),
    ...credentialFields,
  }),
  answer: z.object({
    result: z.literal('Ok'),
    /** With all warnings. */
    message: z.string(),
    status: z.enum(uploadStates),
    /** What the instance says of where its data are, and of what would keep it from being started; absent where there is nothing. */
    warnings: z.array(z.string()).optional(),
  }),
})

export const adminListPackages = defineCall({
  id: 'adminListPackages',
  method: 'GET',
  path: `${base}/admin/org/{code}/packages`,
  tag: packageTag,
  access: 'console',
  summary: 'The packages that an organisation built, for administrators.',
  params: codeParams,
  query: packageListQuery,
  answer: listAnswer('packages', packageItem),
})

export const packageCalls = {
  buildManifest,
  getBuildSettings,
  compareBuild,
  listPackages,
  getPackageStatus,
  downloadPackage,
  deletePackage,
  uploadPackage,
  adminListPackages,
}
