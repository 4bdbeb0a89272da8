import { visibleText } from '../display.ts'

/** Texts of the blueprint wizard in addition to `packageMessages`. */
export const blueprintTexts = {
  manifestRequired: 'Please select a manifest.',
  optionRequired: 'Please select an option.',
  hostedHere: 'Hosted here:',
  databasesThere: 'There already:',
  use: (name: string) => `Use ${visibleText(name)}`,
  skip: 'Go to Summary',
  hostedRequired: 'Please select a hosted instance.',
  urlRequired: 'Please provide a self-managed instance URL.',
  urlInvalid: 'Please enter a valid instance URL.',
  signInRequired: 'Please enter username and password.',
  testFailed: 'Connection test failed. Please check your URL.',
  contentRequired: 'Please select at least one API option or a schema/model option.',
  lastPublished: (last: { packageName: string; version: string; instanceUrl: string }) =>
    `Last published: ${visibleText(last.packageName)} ${last.version} to ${visibleText(last.instanceUrl)}.`,
  databaseRequired: 'Please select an existing database.',
  fieldRequired: {
    url: 'Connection URL is required.',
    username: 'Username is required.',
    password: 'Password is required.',
    databaseName: 'Database name is required.',
  },
  /** Texts about fields left empty. */
  fieldLeft: {
    url: 'Connection URL is required',
    username: 'Username is required',
    password: 'Password is required',
    databaseName: 'Database name is required',
  },
  stillLoading: 'This step is still loading.',
  sqlRequired: 'SQL configuration is required.',
  packageRequired: 'Please select an existing package.',
  packageNameRequired: 'Please provide a name for the new package.',
  noHostedInstances: 'There are no hosted instances.',
  noHostedDatabases: 'No hosted instance has a database.',
  noDatabases: 'The instance has no databases.',
  noPackages: 'There are no packages yet.',
  knownToInstance: 'This database is stored in the instance, which uses the stored password.',
  typeOfExisting: 'Type of the database',
  typeOfDatabase: 'The existing database determines its type.',
  asking: (instance: string) => `Reading the packages of ${instance}…`,
  otherType: (type: string) =>
    `The instance reports the type ${visibleText(type)}. The package's scripts are written for the type chosen here.`,
  building: (name: string) => `Building ${name}…`,
  publishing: (name: string, instance: string) => `Publishing ${name} to ${instance}…`,
  buildGoesOn: (name: string) =>
    `The build of '${visibleText(name)}' continues. Its package will be listed in the exported packages.`,
  verdict: {
    title: 'Publish anyway?',
    text: (name: string, version: string, instance: string) =>
      `${visibleText(instance)} has checked ${visibleText(name)} ${version} against its data. Nothing has been published.`,
    publish: 'Publish',
  },
  leaving: {
    title: 'Leave before it has finished?',
    publishing: 'The build stays in the exported packages but will not be published.',
  },
  replaces: (name: string, instance: string) =>
    `${visibleText(instance)} has a package '${visibleText(name)}': publishing replaces it.`,
  configurationUnread: 'The configuration of the manifest could not be read.',
  versionsUnread: 'The versions of the package could not be read.',
  breaksUnread: 'Changes that break callers could not be determined.',
} as const
