/**
 * All numeric limits of the specification. Lengths count Unicode code points; times are milliseconds; sizes are bytes unless the name says
 * otherwise.
 */
export const limits = {
  entityName: { min: 2, max: 120 },
  manifestName: { min: 2, max: 50 },
  organisationCode: { min: 2, max: 50 },
  packageName: { min: 1, max: 100 },
  organisationName: { min: 2, max: 100 },
  /** Highest subscription number, and highest manifest limit of a licence. */
  subscription: 1_000_000_000,
  licensedManifests: 1_000_000,
  attributeName: { min: 2, max: 50 },
  /** 5,000 attributes added by users, and the automatic key. */
  attributes: 5001,
  relationships: 5000,
  /** Of an entity; members of a group, members that a request may send, and characters of its name. */
  groups: { max: 100, members: 16, sent: 100, name: 120 },
  /** Of an entity; parts and levels of a condition, characters of its text, of a name and of a message. */
  checks: { max: 100, nodes: 500, depth: 30, text: 20_000, name: 120, message: 400 },
  /** Characters of a name in a script. */
  sqlName: 1000,
  dataSteps: { max: 1000, values: 1000, value: 1000 },
  /** Of a paste into the sheet: rows, columns, characters of a cell, and characters of its text or HTML; entities of one into a manifest. */
  paste: { rows: 5001, columns: 200, cell: 20_000, text: 8 * 1024 * 1024, entities: 200 },
  /** Characters of the text of a model. */
  modelText: 8 * 1024 * 1024,
  /** Entities whose contents are read together, and characters of the contents in one answer; the rest follows in further ones. */
  readContents: { entities: 5_000, answer: 4 * 1024 * 1024 },
  /** Entities whose states are read by one request, characters of the answer, whose rest follows in further ones, and entries of other documents in it. */
  readStates: { entities: 200, answer: 4 * 1024 * 1024, others: 1000 },
  /** Characters of SQL that is read as a text of a model. */
  sqlText: 2 * 1024 * 1024,
  /** Characters of the answer: a short script may repeat a long list of choices or the name of a target in each column. */
  sqlTextAnswer: 32 * 1024 * 1024,
  maxLength: { min: 1, max: 2_147_483_647 },
  /** Characters of a text without max length that is compared as a whole: key, unique, indexed, with choices, or target. */
  keyedText: 255,
  /** Characters of a scope, and scopes of an operation. */
  scope: { max: 400, maxCount: 10_000 },
  precision: { min: 1, max: 38 },
  version: { max: 100 },
  /** Characters of the name, path and attribute of an alternative target, each. */
  targetText: 1000,
  treePageSize: 20,
  pickerPageSize: 20,
  wizardTablePageSize: 50,
  wizardAttributeListPageSize: 100,
  tablePageSizes: [15, 30, 50, 100, 200],
  defaultTablePageSize: 15,
  /** Limit of different attribute names that a search in one organisation covers. */
  searchedAttributeNames: 50_000,
  listLimit: { default: 1000, max: 1000 },
  folderLimit: 20,
  logLimit: 20,
  /** Interval of polling packages being built, and limit of packages per request. */
  packagePoll: 5000,
  statusesAtOnce: 200,
  /** Instances of a package whose last upload is recorded, and uploads in a list of them. */
  publicationsOfPackage: 20,
  publicationsListed: 1000,
  /** Problems, and changes of scopes, in the check of a rebuild. */
  rebuildFindings: 100,
  /** Days in the summary of an organisation: twelve weeks, at most a year. */
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
  /**
   * Personal access tokens: length of names, number per user and organisation, maximum lifetime, interval of recording their use, and
   * retention of expired ones.
   */
  token: {
    name: { min: 1, max: 100 },
    maxCount: 50,
    lifetime: 366 * 24 * 60 * 60 * 1000,
    useInterval: 60_000,
    retention: 30 * 24 * 60 * 60 * 1000,
  },
  signInLifetime: 10 * 60 * 1000,
  /** Concurrent sign-ins of one browser, each on its own page. */
  signInsAtOnce: 5,
  /** Characters of the URL of a user's picture. */
  pictureAddress: 2000,
  /** Report lines in the answer of an import; the download has all of them. */
  importReportLines: 1000,
  refreshRepeatWindow: 10_000,
  requestBody: 5 * 1024 * 1024,
  /** Size of a body from an unauthenticated sender. */
  unknownBody: 64 * 1024,
  /** Idle time after which a connection with an incomplete body is closed. */
  stalledBody: 30_000,
  upload: 100 * 1024 * 1024,
  /** Limits of an import: seconds, and megabytes of its worker thread. */
  importSeconds: 300,
  importMegabytes: 768,
  /** Concurrent imports of a server, and of an organisation on it. */
  importsAtOnce: 2,
  importsOfOrganisation: 1,
  /** Concurrent builds of a server, waiting builds of an organisation, and restarts of a build after its server ended. */
  buildsAtOnce: 2,
  buildsOfOrganisation: 20,
  buildAttempts: 3,
  /** Total time of a call to another system, and the time after which users are informed that it does not answer. */
  outgoingSeconds: 30,
  outgoingNoticeDelay: 4000,
  /** Time to wait until the instance confirms an uploaded package. */
  uploadSeconds: 60,
  zipEntries: 20_000,
  zipUnpacked: 1024 * 1024 * 1024,
  zipRatio: 200,
  jsonDepth: 100,
  /** Values in the JSON of a request: one and a half times those of the largest entity. */
  jsonValues: 300_000,
  /** Object forms in that JSON: an entity has a few dozen; an object keyed by names has one per key. */
  jsonForms: 20_000,
  /** Values in the JSON of a call to a package or the management API: a record has a few thousand fields at most. */
  callValues: 50_000,
  /** Characters of an entity's content, more than one request can send. Beyond it no additions are accepted. */
  entityContent: 12 * 1024 * 1024,
  /** Characters of a manifest's configuration, which is read with every manifest. */
  configurationContent: 1024 * 1024,
  /** Limit of edits in a request, each of which may list many items, and of documents changed by one request. */
  edits: 200,
  changedDocuments: 50,
  /** Members and sub-manifests that one request adds and removes, and edits of all its documents. */
  editedMembers: 100,
  /**
   * Entities that undo of a creation or import deletes in one transaction: a second of it, in which no other document of the organisation
   * gets a name, and entities of a deleted manifest that return with it.
   */
  undoneCreations: 1000,
  restoredMembers: 1000,
  changedEdits: 500,
  /**
   * Limits of entries with edits in an answer: entries and characters of a page of the log, and other documents changed
   * by a save.
   */
  editEntries: { page: 100, pageSize: 2 * 1024 * 1024, effects: 100 },
  /**
   * Maximum characters of the edits of one change in the log; larger ones can be derived from the contents before and
   * after.
   */
  loggedEdits: 256 * 1024,
  /** Total content of a model with all references in a validation or export, limited by the memory of a thread. */
  modelContents: 128 * 1024 * 1024,
  /** Total content in a list answer; the remaining contents are requested individually. */
  listedContents: 8 * 1024 * 1024,
  /** Changes in the answer of a comparison; entities beyond are counted. */
  comparedChanges: 20_000,
  /** Entities with unsaved edits in a request about them. */
  unsavedDrafts: 2_000,
  /** Problems of a manifest in an answer; the others are counted. */
  listedProblems: 5_000,
  /** Entities that one fix of all problems of a kind may change. */
  fixedEntities: 50,
  /** Problems that one fix may solve. */
  fixedProblems: 1_000,
  /** What the impact of edits covers: references, manifests, and dependent entities; and the wait for further edits. */
  impact: { references: 1000, manifests: 8, entities: 300, delay: 800 },
  /** Per user: concurrent answers, and their unsent bytes. */
  answersAtOnce: 50,
  unsentAnswers: 64 * 1024 * 1024,
  /** Unsent bytes of all callers of an instance. */
  unsentAnswersInAll: 256 * 1024 * 1024,
  /** Idle time after which a connection that does not accept its answer is closed. */
  stalledAnswer: 30_000,
  /** Bytes of a database's result for one request of a package's API; larger results are refused without buffering. */
  databaseAnswer: 64 * 1024 * 1024,
  /**
   * Size up to which an answer of a package's API is produced at once. Larger answers are produced in chunks, a limited number at a time.
   */
  quickAnswer: 1024 * 1024,
  largeAnswersAtOnce: 2,
  /** Rows of a package's API: of a list without paging, default, minimum and maximum page size. */
  rows: { all: 10_000, page: 20, minPageSize: 1, maxPageSize: 1000 },
  /** Records that one deletion may delete or empty as well, if the history records any of them. */
  cascade: 100_000,
  /** Limit of repeated records in the lists of an operation. */
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
