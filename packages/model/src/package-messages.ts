import { visibleText } from './visible-text.ts'

/** What is said of builds, packages, uploads and instances; `messages.packages`. */
export const packageMessages = {
  namePattern: "this must contain only letters, digits, '-' and '_'.",
  nameReserved: (name: string) => `The package name "${name}" is the instance's own.`,
  nameOfAnother: (name: string, manifest: string) => `The package "${name}" is built from the manifest ${manifest}.`,
  embeddedDatabase: "The instance's embedded database",
  embeddedMeans: 'It is a file of the instance: it needs no server, no user and no password.',
  versionBuilt: 'this version is already built',
  versionBuilding: 'This version is being built. Wait until that is over.',
  notBuilt: 'This version was not built.',
  cutOff: 'The server that built this ended before it was done. Build it again.',
  buildFailed: 'The package could not be built.',
  tooLarge: 'The package is too large: no instance would take it.',
  tooManyBuilds: 'Too many builds are waiting. Try again in a moment.',
  noKey: (entity: string) => `${entity} has no primary key: a package with an API needs one for every entity.`,
  readOnlyToken: 'A read-only token downloads no passwords.',
  /** Of a build that was taken on. */
  building: (name: string, version: string) => `Package '${name}' is being built as ${version}.`,
  built: (name: string) => `Package '${name}' successfully built`,
  published: (name: string) => `Package '${name}' successfully published`,
  manifestBuilt: (manifest: string) => `Manifest '${manifest}' successfully built`,
  deleted: 'Successfully deleted a package',
  uploaded: (name: string, version: string, state: string) => `Package '${name}' ${version} is ${state.toLowerCase()}.`,
  failed: {
    publish: 'Failed to publish package. Please try again.',
    build: (reason: string) => `Failed to build manifest - ${reason}. Please try again.`,
    buildManifest: 'Failed to build manifest',
    openBuild: (reason: string) => `Unable to open build manifest dialog - ${reason}`,
    databaseDetails: 'Failed to fetch database details. Please try again.',
    packages: 'Failed to load packages.',
    databases: 'Failed to load databases. Please try again.',
    delete: (reason: string) => `Failed to delete package: ${reason}`,
    download: 'Failed to download package',
    upload: (reason: string) => `Failed to upload package: ${reason}`,
    start: (reason: string) => `Failed to start package: ${reason}`,
    connection: (instance: string) => `Connection failed to ${instance}`,
  },
  connected: (instance: string) => `Connection successful to ${instance}`,
  view: {
    newPackage: 'You are currently viewing the new exported Martini package.',
    loading: 'Loading Packages...',
    empty: 'No exported Martini packages to display',
    reading: 'Asking the instances…',
    nowhere: 'On no hosted instance.',
    unknownThere: (instance: string, reason: string) =>
      `What runs on ${visibleText(instance)} could not be read. ${reason}`,
    more: (count: string) => `${count} more are found by their names.`,
    uploadLeft: 'No longer waiting for the upload. The instance may take the package all the same.',
    versionAbove: 'Look at the package version.',
    breaksBelow: (count: number) =>
      count === 1
        ? 'One change breaks callers of the last build.'
        : `${count} changes break callers of the last build.`,
    breaks: 'Callers of the last build could not go on as they do:',
    /** Of an upload that the instance refused for what it would lose. */
    dataLoss: {
      title: 'Data would be lost',
      goOn: 'Go on…',
      surely: 'Lose this data?',
      lose: 'Lose data and upload',
      irrevocable: (name: string, version: string, instance: string) =>
        `With ${name} ${version} this goes from its database at ${visibleText(instance)}. Nothing brings it back:`,
      more: (count: number) => `And ${count} more.`,
      grades: {
        losesData: { heading: 'Loses data', note: 'What is there is gone afterwards.' },
        locks: { heading: 'Written anew', note: 'Nothing is lost. Callers wait while the tables are written.' },
        safe: { heading: 'Safe', note: 'Takes no table that is there.' },
      },
    },
    buildsSaved: 'A package is built from what is saved.',
    leaveTitle: 'Package View',
    leave: 'There are unsaved changes, are you sure you want to proceed to package view?',
    withPassword:
      'The file will hold the connection password and all secret properties as they are. The audit log says that you downloaded it.',
  },
  confirm: {
    deleteVersion: (version: string) => `Do you really want to delete the package ${version}?`,
    override:
      'The manifest being uploaded already exists, this will be override the following package. Do you wish to proceeed',
  },
  instance: {
    url: 'Must be a valid HTTP URL',
    required: 'You must select an instance',
    /** The console may not call it. */
    forbidden: (instance: string) =>
      `This console may not call ${instance}. Its operator allows addresses with CADMUS_ALLOWED_INSTANCES.`,
    stillWaiting: (seconds: number) =>
      `The instance has not answered yet. Each question is given up after ${seconds} seconds; Cancel does not wait for it.`,
    unreachable: (instance: string) => `${instance} could not be reached.`,
    /** The instance does not let the console in. */
    refused: (instance: string) => `${instance} refused the user name and password, or the token.`,
    notAllowed: (instance: string) => `The user may not do this at ${instance}.`,
    empty: (instance: string) => `${instance} has no packages.`,
    unreadable: (instance: string) => `${instance} did not answer as an instance does.`,
    said: (instance: string, status: number) => `${instance} answered with status ${status}.`,
    noDatabase: (name: string) => `The instance has no database "${name}".`,
    notRunning: (name: string, state: string) =>
      `The instance has ${name}, but could not run it: ${state.replace(/\.$/, '')}.`,
    losesData: (name: string, version: string, running: string) =>
      `${name} ${version} would lose data. Nothing was changed${running === '' ? '' : `, and ${running} goes on`}.`,
    tooLong: (name: string) => `The instance took ${name}, but does not say that it runs. Look there in a moment.`,
  },
  audit: {
    began: (name: string, version: string, manifest: string) =>
      `Began to build package ${name} ${version} of manifest ${manifest}.`,
    built: (name: string, version: string, manifest: string) =>
      `Built package ${name} ${version} of manifest ${manifest}.`,
    buildFailed: (name: string, version: string, manifest: string) =>
      `Failed to build package ${name} ${version} of manifest ${manifest}.`,
    deleted: (name: string, version: string) => `Deleted package ${name} ${version}.`,
    downloadedWithPassword: (name: string, version: string) =>
      `Downloaded package ${name} ${version} with its password.`,
    uploaded: (name: string, version: string, instance: string) =>
      `Uploaded package ${name} ${version} to ${instance}.`,
    uploadedWithLoss: (name: string, version: string, instance: string) =>
      `Uploaded package ${name} ${version} to ${instance}, and allowed it to lose data there.`,
  },
} as const

/** What a new version of an API takes away from its callers. */
export const apiBreakTexts = {
  protocol: (protocol: string) => `${protocol === 'GRAPHQL' ? 'GraphQL' : protocol} is no longer served.`,
  security: (before: string, after: string) => `The security was ${before} and is ${after}.`,
  provider: 'Tokens of another identity provider are needed.',
  scopes: (entity: string, operation: string, scopes: readonly string[]) =>
    `The operation ${operation} of ${entity} needs one of the scopes ${scopes.join(', ')} now.`,
  options: {
    limitOffset: {
      on: 'Lists hold 20 records now where no limit is asked for.',
      off: 'Lists no longer take limit and offset.',
    },
    coalesce: {
      on: 'An update with null keeps the stored value now.',
      off: 'An update with null empties the field now.',
    },
    tenancy: {
      on: 'Records are kept apart by tenant now.',
      off: 'Records are no longer kept apart by tenant.',
    },
    join: 'Related records no longer come along.',
    customFields: 'Custom fields are gone.',
  },
  gone: (what: string) => `${what} is gone.`,
  renamed: (what: string, name: string) => `${what} is called ${name}.`,
  history: (entity: string) => `The history of ${entity} is gone.`,
  key: (entity: string) => `${entity} has another key.`,
  operation: (entity: string, operation: string) => `${entity} no longer has the operation ${operation}.`,
  type: (field: string) => `${field} has another type.`,
  needed: (field: string) => `${field} must have a value now.`,
  missing: (field: string) => `${field} may be missing now.`,
  generated: (field: string) => `${field} is given by the database now.`,
  unique: (field: string) => `${field} must be unique now.`,
  refers: (field: string) => `${field} refers to something else.`,
  columns: (query: string) => `${query} has other columns.`,
  shorter: (field: string, length: number) => `${field} takes at most ${length} characters now.`,
  choices: (field: string) => `${field} takes fewer values now.`,
  more: (count: number) => `and ${count} more`,
} as const
