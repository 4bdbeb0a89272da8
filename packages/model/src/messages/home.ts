import { formatCount } from '../display.ts'

/** Texts of the home screen, of favourites and of running packages. */
export const homeTexts = {
  title: 'Home',
  recent: { title: 'Recent', empty: 'Documents that you open are listed here.' },
  favourites: {
    title: 'Favourites',
    empty: 'The star beside the name of an entity or manifest adds it here.',
  },
  problems: {
    title: 'Problems',
    empty: 'Your recent and favourite manifests are listed here.',
  },
  running: {
    title: 'Running',
    empty: 'No package has been built yet.',
    unknown: 'State unknown.',
    noInstances: 'This console has no hosted instances.',
    all: (count: number) => (count > 0 ? `All packages (${formatCount(count)} more)` : 'All packages'),
  },
  firstSteps: {
    title: 'First steps',
    manifest: 'Start a model of your own, and draw its entities and relationships.',
    import: 'Read an SQL script, a CDM folder or another model.',
    shop: 'Look around in the example of a shop.',
    tour: 'See the parts of the workspace in a few minutes.',
  },
} as const
