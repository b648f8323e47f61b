// Stands for the platform's module where the Worker's operations are read outside of it.
export class DurableObject {}
export const exports: Record<string, unknown> = {}
