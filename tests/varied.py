"A reward that varies with the tokens, so that every step of a barely trained model has a gradient"


def varied(completion_ids, **kwargs):
    return [sum(ids) % 7.0 for ids in completion_ids]
