/** Every number of the specification, once. Lengths count Unicode code points; times are milliseconds; sizes are bytes unless the name says otherwise. */
export const limits = {
  entityName: { min: 2, max: 120 },
  manifestName: { min: 2, max: 50 },
  organisationCode: { min: 2, max: 50 },
  packageName: { min: 1, max: 100 },
  organisationName: { min: 2, max: 100 },
  /** The largest number of a subscription, and of manifests that a licence may say. */
  subscription: 1_000_000_000,
  licensedManifests: 1_000_000,
  attributeName: { min: 2, max: 50 },
  /** Those that a person adds, and the automatic key that comes with them. */
  attributes: 5001,
  relationships: 5000,
  maxLength: { min: 1, max: 2_147_483_647 },
  /** Characters of a text without a max length that is compared as a whole: a key, unique, indexed, with choices, or a target. */
  keyedText: 255,
  /** Characters of a scope, and how many of them one operation asks for. */
  scope: { max: 400, most: 10_000 },
  precision: { min: 1, max: 38 },
  version: { max: 100 },
  /** Of another target of a relationship, each: its entity's name and path, and its attribute. */
  targetText: 1000,
  treePageSize: 20,
  pickerPageSize: 20,
  wizardTablePageSize: 50,
  wizardAttributeListPageSize: 100,
  tablePageSizes: [15, 30, 50, 100, 200],
  defaultTablePageSize: 15,
  /** So many different names of attributes of one organisation are searched. */
  searchedAttributeNames: 50_000,
  listLimit: { default: 1000, max: 1000 },
  folderLimit: 20,
  logLimit: 20,
  /** How long between two looks at packages that are being built, and at how many of them one looks. */
  packagePoll: 5000,
  statusesAtOnce: 200,
  /** Days of an organisation's past that its summary tells of: twelve weeks, at most a year. */
  historyDays: { default: 84, max: 366 },
  auditPageSizes: [15, 30, 75],
  auditDebounce: 400,
  searchDebounce: 300,
  editorDebounce: 400,
  loadingHold: 400,
  skeletonDelay: 150,
  sidebarWidth: { min: 200, max: 640, default: 280 },
  propertiesWidth: { min: 100, max: 800, default: 300 },
  dropdownMenuHeight: 200,
  shownScopes: 3,
  maxSnackbars: 3,
  deleteManifestParents: 5,
  sessionLifetime: 60 * 60 * 1000,
  refreshLifetime: 30 * 24 * 60 * 60 * 1000,
  /** Of personal access tokens: their names, how many a user has in an organisation, how long they live at most, how often their use is noted, and how long one that is over stays in the store. */
  token: {
    name: { min: 1, max: 100 },
    most: 50,
    lifetime: 366 * 24 * 60 * 60 * 1000,
    noted: 60_000,
    kept: 30 * 24 * 60 * 60 * 1000,
  },
  signInLifetime: 10 * 60 * 1000,
  /** Sign-ins that one browser may have under way, each on a page of its own. */
  signInsAtOnce: 5,
  /** Characters of the address of a user's picture. */
  pictureAddress: 2000,
  /** Lines of an import's report that its answer holds; the rest is in the download. */
  importReportLines: 1000,
  refreshRepeatWindow: 10_000,
  requestBody: 5 * 1024 * 1024,
  /** A body that is received before its sender is known. */
  unknownBody: 64 * 1024,
  /** A connection that sends nothing of a body that it began for so long is closed. */
  stalledBody: 30_000,
  upload: 100 * 1024 * 1024,
  /** What one import may take: seconds, and megabytes of the reading thread. */
  importSeconds: 300,
  importMegabytes: 768,
  /** How many imports a server reads at the same time, and how many of them for one organisation. */
  importsAtOnce: 2,
  importsOfOrganisation: 1,
  /** Builds that one server makes at the same time, how many of an organisation may wait, and how often one is begun whose server ended. */
  buildsAtOnce: 2,
  buildsOfOrganisation: 20,
  buildAttempts: 3,
  /** Of a call to another machine, in all; and after how many milliseconds who waits for it is told that it does not answer. */
  outgoingSeconds: 30,
  outgoingPatience: 4000,
  /** How long an upload waits for the instance to say that the package is there. */
  uploadSeconds: 60,
  zipEntries: 20_000,
  zipUnpacked: 1024 * 1024 * 1024,
  zipRatio: 200,
  jsonDepth: 100,
  /** Values in the JSON of one request: half as many again as an entity with every attribute and relationship that it may have holds. */
  jsonValues: 300_000,
  /** Forms of the objects in that JSON: an entity has few dozens, and an object with names as keys has one for each. */
  jsonForms: 20_000,
  /** Values in the JSON of one call of a package or of the management: a record has a few thousand fields at most. */
  callValues: 50_000,
  /** Characters of an entity's content: more than a request can bring at once. Beyond it nothing is added. */
  entityContent: 12 * 1024 * 1024,
  /** Characters of a manifest's configuration: everybody who opens the manifest reads it. */
  configurationContent: 1024 * 1024,
  /** Contents of one model, with all that it refers to, that are validated or exported at once: more than that a thread cannot hold. */
  modelContents: 128 * 1024 * 1024,
  /** Contents within one answer of a list: what comes after is asked for one by one. */
  listedContents: 8 * 1024 * 1024,
  /** Of one user: answers under way at once, and their bytes that wait to be taken. */
  answersAtOnce: 50,
  unsentAnswers: 64 * 1024 * 1024,
  /** The same of all callers of an instance together. */
  unsentAnswersInAll: 256 * 1024 * 1024,
  /** A connection that takes nothing of its answer for so long is closed. */
  stalledAnswer: 30_000,
  /** Bytes that a database may answer to one request of a package's API: what comes to more is refused, and never held. */
  databaseAnswer: 64 * 1024 * 1024,
  /** Bytes of an answer of a package's API that is made at once. So many larger ones are made at a time, each in pieces. */
  quickAnswer: 1024 * 1024,
  largeAnswersAtOnce: 2,
  /** Rows of a package's API: of a list without paging, of a page that asks for no number, and the least and most that a page may ask for. */
  rows: { all: 10_000, page: 20, leastOfPage: 1, mostOfPage: 1000 },
  /** The most that lists of one operation hold of records that stand in it more than once. */
  copies: 100_000,
  /** Characters of a tenant's name. */
  tenant: 100,
  requestsPerSecond: 50,
  requestBurst: 200,
  signInsPerMinute: 10,
  bootstrapTokenLength: 32,
} as const

export const defaults = {
  version: '1.0.0',
  entityName: 'new_entity',
  manifestName: 'new_manifest',
  typeAttributeName: 'new_type_attribute',
  organisationCode: 'CADMUS',
  traitReference: 'is.identifiedBy',
  apiVersion: '1.0',
  applicationVersion: '1.5.0',
} as const
