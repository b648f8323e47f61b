// The guides in their order: where each is written, and its address below /docs. A page that stands beside the code it is
// about is used as it is.

export interface Guide {
  /** The page is /docs/<name>. */
  name: string
  /** Relative to the root of the tree. */
  file: string
}

export interface Chapter {
  title: string
  guides: readonly Guide[]
}

const guide = (name: string, file = `src/guides/${name}.md`): Guide => ({ name, file })

export const INDEX = guide('guides', 'src/guides/README.md')

export const CHAPTERS: readonly Chapter[] = [
  { title: 'Data', guides: [guide('types'), guide('criteria'), guide('history'), guide('undo'), guide('files')] },
  {
    title: 'Loading and reacting',
    guides: [
      guide('loads'),
      guide('expressions', 'src/platform/expression/README.md'),
      guide('workflows'),
      guide('events'),
      guide('agents'),
    ],
  },
  { title: 'Access', guides: [guide('access'), guide('endpoints'), guide('limits'), guide('promises')] },
  { title: 'Operating', guides: [guide('deploy'), guide('scale'), guide('backup')] },
  {
    title: 'Clients',
    guides: [
      guide('clients', 'src/clients/README.md'),
      guide('typescript', 'src/clients/typescript/README.md'),
      guide('command-line', 'src/clients/cli/README.md'),
      guide('python', 'src/clients/python/README.md'),
      guide('java', 'src/clients/java/README.md'),
    ],
  },
]

/** In reading order. */
export const GUIDES: readonly Guide[] = [INDEX, ...CHAPTERS.flatMap(chapter => chapter.guides)]
