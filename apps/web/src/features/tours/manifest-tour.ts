import { tourSelector, type Tour } from './tour.ts'

const name = 'Create Manifest: Name'
const source = 'Create Manifest: Manifest to duplicate'
const entities = 'Create Manifest: Manage Entities'

export const manifestTour: Tour = {
  id: 'manifest',
  name: 'Create Manifest Tour',
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
