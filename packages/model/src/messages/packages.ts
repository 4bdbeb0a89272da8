/** Texts about builds, packages, uploads and instances; `messages.packages`. */
export const packageMessages = {
  namePattern: "this must contain only letters, digits, '-' and '_'.",
  nameReserved: (name: string) => `The package name "${name}" is reserved by the instance.`,
  nameOfAnother: (name: string, manifest: string) => `The package "${name}" is built from the manifest ${manifest}.`,
  embeddedDatabase: "The instance's embedded database",
  embeddedMeans: 'A file of the instance: no server, user or password is needed.',
  passwordInUrl:
    'The URL contains a password, which everyone who opens this page can read. Move it to Connection Password.',
  versionBuilt: 'this version is already built',
  cutOff: 'The server stopped during the build. Build it again.',
  buildFailed: 'The package could not be built.',
  tooLarge: 'The package is too large for any instance.',
  tooManyBuilds: 'Too many builds are waiting. Try again in a moment.',
  noKey: (entity: string) => `${entity} has no primary key: a package with an API requires one for every entity.`,
  readOnlyToken: 'A read-only token cannot download passwords.',
  /** Shown when a build has started. */
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
  confirm: {
    deleteVersion: (version: string) => `Do you really want to delete the package ${version}?`,
    override:
      'The manifest being uploaded already exists, this will be override the following package. Do you wish to proceeed',
  },
  instance: {
    url: 'Must be a valid HTTP URL',
    required: 'You must select an instance',
    /** The console may not call the instance. */
    forbidden: (instance: string) =>
      `This console is not allowed to call ${instance}. Its operator can allow addresses with CADMUS_ALLOWED_INSTANCES.`,
    stillWaiting: (seconds: number) =>
      `The instance has not answered yet. Each request times out after ${seconds} seconds; Cancel does not wait for it.`,
    unreachable: (instance: string) => `${instance} could not be reached.`,
    /** The instance rejected the credentials. */
    refused: (instance: string) => `${instance} rejected the user name and password, or the token.`,
    tooManySignIns: 'Too many attempts with a wrong password. Try again in a minute.',
    notAllowed: (instance: string) => `The user is not allowed to do this on ${instance}.`,
    empty: (instance: string) => `${instance} has no packages.`,
    unreadable: (instance: string) => `The response of ${instance} is not from an instance. Check the address.`,
    unexpectedStatus: (instance: string, status: number) => `${instance} answered with status ${status}.`,
    taken: (name: string, instance: string) =>
      `${instance} has a package '${name}' of another organisation. Choose another name for this one.`,
    noDatabase: (name: string) => `The instance has no database "${name}".`,
    notRunning: (name: string, state: string) =>
      `The instance received ${name}, but could not start it: ${state.replace(/\.$/, '')}.`,
    losesData: (name: string, version: string, running: string) =>
      `${name} ${version} would lose data. Nothing was changed${running === '' ? '' : `, and ${running} keeps running`}.`,
    tooLong: (name: string) =>
      `The instance received ${name}, but has not reported it as running. Check again in a moment.`,
  },
} as const

/** Breaking changes of an API. */
export const apiBreakTexts = {
  protocol: (protocol: string) => `${protocol === 'GRAPHQL' ? 'GraphQL' : protocol} is no longer served.`,
  security: (before: string, after: string) => `The security changed from ${before} to ${after}.`,
  provider: 'Tokens of another identity provider are required.',
  scopes: (entity: string, operation: string, scopes: readonly string[]) =>
    `The operation ${operation} of ${entity} now requires one of the scopes ${scopes.join(', ')}.`,
  options: {
    limitOffset: {
      on: 'Lists without a limit now return 20 records.',
      off: 'Lists no longer accept limit and offset.',
    },
    coalesce: {
      on: 'An update with null now keeps the stored value.',
      off: 'An update with null now clears the field.',
    },
    tenancy: {
      on: 'Records are now separated by tenant.',
      off: 'Records are no longer separated by tenant.',
    },
    join: 'Related records are no longer included.',
    customFields: 'Custom fields were removed.',
  },
  gone: (what: string) => `${what} was removed.`,
  renamed: (what: string, name: string) => `${what} was renamed to ${name}.`,
  history: (entity: string) => `The history of ${entity} was removed.`,
  key: (entity: string) => `The key of ${entity} was changed.`,
  operation: (entity: string, operation: string) => `${entity} no longer has the operation ${operation}.`,
  type: (field: string) => `The type of ${field} was changed.`,
  needed: (field: string) => `${field} is now required.`,
  missing: (field: string) => `${field} may now be null.`,
  generated: (field: string) => `${field} is now generated by the database.`,
  unique: (field: string) => `${field} must now be unique.`,
  uniqueTogether: (entity: string, fields: readonly string[]) =>
    `${fields.join(', ')} of ${entity} must now be unique together.`,
  checked: (entity: string, condition: string) => `Records of ${entity} must now meet: ${condition}`,
  refers: (field: string) => `The target of ${field} was changed.`,
  columns: (query: string) => `The columns of ${query} were changed.`,
  shorter: (field: string, length: number) => `${field} now accepts at most ${length} characters.`,
  otherLength: (field: string, length: number) => `${field} now accepts texts of ${length} characters only.`,
  choices: (field: string) => `${field} now accepts fewer values.`,
  more: (count: number) => `and ${count} more`,
} as const
