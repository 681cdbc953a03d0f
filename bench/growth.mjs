export async function growth() {}
