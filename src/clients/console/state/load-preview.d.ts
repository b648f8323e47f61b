// The pipeline of loads as the browser sees it. The build puts src/features/loads/preview.ts in its place: its types reach into
// the Worker, where no browser follows. Both are held to the same shapes.
import type { PreviewFile, PreviewSteps } from '../../../features/loads/preview-shape.ts'

export const previewFile: PreviewFile
export const previewSteps: PreviewSteps
