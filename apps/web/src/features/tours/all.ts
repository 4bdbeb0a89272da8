import { tourNames } from './texts.ts'
import { type Tour, type TourId, tourSelector } from './tour.ts'

const onboardingTour: Tour = {
  id: 'onboarding',
  name: tourNames.onboarding,
  steps: [
    {
      title: 'Welcome to Cadmus',
      text: 'Model your data here: entities, their attributes, and the manifests that group them. These eleven steps show what each part of the workspace is for.',
      at: [],
    },
    {
      title: 'Project Navigator',
      text: 'Everything you can work with, as a tree. Custom is your own work. Standard is the predefined core schema: use it and extend it, but nothing in it changes.',
      at: ['[data-region=sidebar]'],
      panel: 'sidebar',
    },
    {
      title: 'CDM Library',
      text: 'Switch here to see the predefined entities alone, and to look for one that you can start from instead of modelling from scratch.',
      at: [tourSelector('views')],
      panel: 'sidebar',
    },
    {
      title: 'Search',
      text: 'Type a part of a name, and the tree shows only the matches and their place. The key / brings you here from anywhere.',
      at: [tourSelector('search')],
      panel: 'sidebar',
    },
    {
      title: 'New',
      text: 'Start here. A manifest groups entities that belong together; an entity describes one thing, such as a customer or an order. A wizard leads you through either.',
      at: [tourSelector('new')],
    },
    {
      title: 'Generate and import',
      text: 'This button and those beside it turn a manifest into a database schema, a CDM schema or a data model. Import reads existing schemas and models.',
      at: [tourSelector('toolbar.export.schema')],
    },
    {
      title: 'Audit Logs',
      text: 'Who changed what, and when. Every entry opens as a comparison of before and after.',
      at: [tourSelector('toolbar.logs')],
    },
    {
      title: 'Documents',
      text: 'What you open in the navigator appears here, each document in a tab of its own. A dot on a tab says that something in it is not saved yet; Ctrl+S saves it.',
      at: ['[data-region=document]'],
    },
    {
      title: 'Properties',
      text: 'Details of the selected document or attribute. Most can be edited here.',
      // Without a document there is only the button that opens the panel.
      at: ['[data-region=properties]', `body:not(:has(#document)) ${tourSelector('properties')}`],
      panel: 'properties',
    },
    {
      title: 'Search or run a command',
      text: 'Ctrl+K finds every entity, attribute and manifest by name, and every command.',
      at: [tourSelector('palette')],
    },
    {
      title: 'Your profile',
      text: 'Change your organisation or your settings here, and log out. Onboarding starts this tour again; Guided Tours make your first manifest and entity together with you.',
      at: [tourSelector('profile')],
    },
  ],
}

const entity = 'Create Entity: Entity'
const takeOver = 'Create Entity: Take over'
const manifest = 'Create Entity: Manifest'
const attributes = 'Create Entity: Type attributes'

export const entityTour: Tour = {
  id: 'entity',
  name: tourNames.entity,
  makes: { kind: 'entity', command: 'entity.new', noun: 'entity' },
  steps: [
    {
      title: 'Open the wizard',
      text: 'Press New, then choose Entity. An entity describes one kind of thing, such as a customer: its attributes and its relationships.',
      at: [tourSelector('entity.new'), tourSelector('new')],
      waits: true,
    },
    {
      title: 'New, or from the library',
      text: 'Create Custom Entity starts with nothing in it. Choose Existing Entity starts from one of the predefined library.',
      at: [`${tourSelector(entity)} [role=radiogroup]`],
      page: entity,
    },
    {
      title: 'Name it',
      text: 'Name the new entity, in letters, digits and underscores, or choose the one to start from. Then press Next in the wizard.',
      at: [`${tourSelector(entity)} input[type=text]`, `${tourSelector(entity)} [role=combobox]`],
      page: entity,
      waits: true,
    },
    {
      title: 'Copy, or extend',
      text: 'Copy makes its attributes your own. Extend inherits them, and adds yours. Choose, name the new entity, and press Next in the wizard.',
      at: [tourSelector(takeOver)],
      page: takeOver,
      waits: true,
    },
    {
      title: 'Put it into a manifest',
      text: 'Choose the manifest that it belongs to, such as the one that you created, and press Next in the wizard.',
      at: [`${tourSelector(manifest)} [role=combobox]`],
      page: manifest,
      waits: true,
    },
    {
      title: 'Add its attributes',
      text: 'Each type attribute is one piece of data: a name, a number, a date. A new entity needs at least one; more can follow at any time.',
      at: [`${tourSelector(attributes)} form`],
      page: attributes,
    },
    {
      title: 'Create it',
      text: 'Press Finish in the wizard. The entity is created and opens.',
      at: [tourSelector(`${attributes}: on`)],
      page: attributes,
      waits: true,
    },
    {
      title: 'This is your entity',
      text: 'Add attributes and relationships here; the properties of the selected row are at the right. Nothing is saved until you press Save, or Ctrl+S.',
      at: ['#document'],
      shows: 'result',
    },
  ],
}

const name = 'Create Manifest: Name'
const source = 'Create Manifest: Manifest to duplicate'
const entities = 'Create Manifest: Manage Entities'

export const manifestTour: Tour = {
  id: 'manifest',
  name: tourNames.manifest,
  makes: { kind: 'manifest', command: 'manifest.new', noun: 'manifest' },
  steps: [
    {
      title: 'Open the wizard',
      text: 'Press New, then choose Manifest. A manifest groups entities that belong together; schemas are generated from it, and it has versions.',
      at: [tourSelector('manifest.new'), tourSelector('new')],
      waits: true,
    },
    {
      title: 'Give it a name',
      text: 'Use letters, digits and underscores, such as Orders. You can rename it later.',
      at: [`${tourSelector(name)} input[type=text]`],
      page: name,
    },
    {
      title: 'Empty, or a copy',
      text: 'Empty Manifest starts with nothing in it. Duplicate Existing Manifest copies the entities of one that you have.',
      at: [`${tourSelector(name)} [role=radiogroup]`],
      page: name,
      optional: true,
    },
    {
      title: 'Go on in the wizard',
      text: 'Press Next in the wizard. Enter in the name field does the same.',
      at: [tourSelector(`${name}: on`)],
      page: name,
      waits: true,
    },
    {
      title: 'Choose what to copy',
      text: 'Search the manifest whose entities you want, then press Next in the wizard.',
      at: [`${tourSelector(source)} [role=combobox]`],
      page: source,
      waits: true,
    },
    {
      title: 'Gather its entities',
      text: 'Add entities that exist, predefined ones too, or name new ones under Create Custom Entity. The list may stay empty: you can add to it at any time.',
      at: [tourSelector(entities)],
      page: entities,
    },
    {
      title: 'Create it',
      text: 'Press Finish in the wizard. The manifest is created and opens.',
      at: [tourSelector(`${entities}: on`)],
      page: entities,
      waits: true,
    },
    {
      title: 'This is your manifest',
      text: 'It is in the navigator too, below Custom. Manage its entities and its versions here; Configuration says what is generated from it. Next comes an entity: Guided Tours, in your profile menu, has a tour for that too.',
      at: ['#document'],
      shows: 'result',
    },
  ],
}

const sheet = '#document [role=grid][aria-label="Type attributes"]'

const sheetTour: Tour = {
  id: 'sheet',
  name: tourNames.sheet,
  steps: [
    {
      title: 'The attribute sheet',
      text: 'Each row is an attribute or a foreign key, each column one of its settings. Choose a cell and type to replace it, or press F2 to edit it. Enter goes down, Tab goes right, Escape takes the text back.',
      at: [sheet],
    },
    {
      title: 'Add attributes',
      text: 'Type a name into the empty row at the end. Add Attribute opens a dialog for the same.',
      at: [`${sheet} [data-new]`, tourSelector('entity.addAttribute'), sheet],
    },
    {
      title: 'Paste from a spreadsheet',
      text: 'Copy a list from a spreadsheet or a database schema and paste it here, with or without heads. Cells that are not understood keep their text and say why; F8 goes from one to the next.',
      at: [sheet],
    },
    {
      title: 'Change several at once',
      text: 'Choose rows by their boxes, or cells with Shift and the arrows. Ctrl+D fills down, Ctrl+Enter fills the choice, and the properties of several rows are changed together.',
      at: ['[data-region=properties]'],
      panel: 'properties',
    },
    {
      title: 'Choose the columns',
      text: 'Show and hide columns here. Drag the edge of a head to size a column; a double click fits it again.',
      at: [tourSelector('columns'), sheet],
    },
    {
      title: 'Take it back',
      text: 'Ctrl+Z takes back your last step, also after saving. History, in this menu, lists all steps by name.',
      at: [tourSelector('more')],
    },
    {
      title: 'Save',
      text: 'Nothing is stored until you press Save, or Ctrl+S. What you have not saved is kept for you until then.',
      at: [tourSelector('entity.save'), tourSelector('more')],
    },
  ],
}

const diagram = '#document [role=application]'

const diagramTour: Tour = {
  id: 'diagram',
  name: tourNames.diagram,
  steps: [
    {
      title: 'The diagram',
      text: 'Cards are entities, lines run from a foreign key to the entity it refers to. The wheel moves the picture, Ctrl and the wheel zooms, and the key 1 shows everything. A double click opens an entity.',
      at: [diagram, '#document'],
    },
    {
      title: 'Find an entity',
      text: 'Type a part of a name to go to its card.',
      at: [tourSelector('diagram.find'), '#document'],
    },
    {
      title: 'Draw a relationship',
      text: 'Choose a card and drag from one of its handles to another card; a preview says which foreign key this makes. The key R does the same.',
      at: [diagram, '#document'],
    },
    {
      title: 'Show what matters',
      text: 'Show only the entities around the chosen one, or the ways between two. Hidden cards stay in the model.',
      at: [tourSelector('diagram.show'), '#document'],
    },
    {
      title: 'Arrange',
      text: 'Cards stay where you put them. Arrange the chosen ones, an area or all: you see the result before you take it.',
      at: [tourSelector('diagram.arrange'), '#document'],
    },
    {
      title: 'Views',
      text: 'A view keeps places, hidden cards and what is shown, for you alone or for everybody.',
      at: [tourSelector('diagram.views'), '#document'],
    },
    {
      title: 'The list beside it',
      text: 'Alt+L opens a list of the same entities and relationships, with the same commands. It works by keyboard and screen reader.',
      at: [tourSelector('diagram.list'), '#document'],
    },
  ],
}

const publishingTour: Tour = {
  id: 'publishing',
  name: tourNames.publishing,
  steps: [
    {
      title: 'Look at the problems',
      text: 'What would keep the manifest from being built or exported is counted here, with a way to repair it.',
      at: [tourSelector('tab.problems')],
    },
    {
      title: 'Decide who may call',
      text: 'Each operation of each entity requires the scopes listed here. Without one, anyone who signs in may call it.',
      at: [tourSelector('tab.scopes')],
    },
    {
      title: 'Configure',
      text: 'Configure, in this menu, says which APIs are made, how callers sign in and which database is used.',
      at: [tourSelector('more')],
    },
    {
      title: 'Build and publish',
      text: 'Build Package asks what is built and where it runs. Later it is called Publish Again: it keeps the answers and says what would break callers or lose records before anything is built.',
      at: [tourSelector('manifest.publishAgain'), tourSelector('manifest.build'), tourSelector('toolbar.blueprint')],
    },
    {
      title: 'Start it',
      text: 'Here stands where the package runs, with Start and a link to the explorer of its API.',
      at: [tourSelector('runs')],
      optional: true,
    },
    {
      title: 'Packages',
      text: 'Exported packages, beside the navigator, lists all packages with their versions.',
      at: [tourSelector('views')],
      panel: 'sidebar',
    },
  ],
}

export const tours: Readonly<Record<TourId, Tour>> = {
  onboarding: onboardingTour,
  manifest: manifestTour,
  entity: entityTour,
  sheet: sheetTour,
  diagram: diagramTour,
  publishing: publishingTour,
}
