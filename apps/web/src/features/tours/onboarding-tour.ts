import { tourSelector, type Tour } from './tour.ts'

export const onboardingTour: Tour = {
  id: 'onboarding',
  name: 'Onboarding',
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
      at: ['[data-region=properties]'],
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
