import { tourSelector, type Tour } from './tour.ts'

const entity = 'Create Entity: Entity'
const takeOver = 'Create Entity: Take over'
const manifest = 'Create Entity: Manifest'
const attributes = 'Create Entity: Type attributes'

export const entityTour: Tour = {
  id: 'entity',
  name: 'Create Entity Tour',
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
