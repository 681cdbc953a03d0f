export async function scaleOut() {}
